import Domain
import StrictJSON

/// What an outcome needs of a transaction.
struct Transaction {
    /// The GraphQL identifier, which later requests name.
    var id: String
    /// The gateway's identifier, which the Control Panel, webhooks and reports name.
    var legacyID: String
    /// Our attempt.
    var orderID: String?
    /// Nil if it is none that the schema has.
    var status: PaymentStatus?
    /// What is held, or what was captured.
    var amount: Money
    var history: [StatusEvent]
    var network: String?
    var last4: String?
    /// Its refunds, where they were asked for.
    var refunds: [Refund]?

    /// Reads the object; nil if it is no transaction as the schema has it.
    init?(_ json: JSON) {
        guard let id = json["id"]?.stringValue, Word.isIdentifier(id),
            let legacyID = json["legacyId"]?.stringValue, Word.isIdentifier(legacyID),
            let status = json["status"]?.stringValue, let amount = json["amount"].flatMap(Money.init(braintree:))
        else { return nil }
        self.id = id
        self.legacyID = legacyID
        self.status = PaymentStatus(rawValue: status)
        self.amount = amount
        orderID = json["orderId"]?.stringValue
        history = StatusEvent.history(json["statusHistory"])
        let snapshot = json["paymentMethodSnapshot"]
        let card = snapshot?["creditCard"] ?? snapshot
        network = card?["brandCode"]?.stringValue.flatMap(Word.init)?.text
        last4 = card?["last4"]?.stringValue.flatMap(Word.init)?.text
        let refunds = json["refunds"]?.arrayValue
        let read = refunds?.compactMap(Refund.init)
        self.refunds = read?.count == refunds?.count ? read : nil
    }

    /// The hold, if there ever was one.
    var authorization: StatusEvent? { history.first { $0.status == .authorized } }

    /// Why it stands where it stands.
    var latest: StatusEvent? { history.first { $0.status == status } }

    /// The decline that the status reports.
    var decline: Decline {
        let word = status?.rawValue ?? ""
        let code = latest?.processorCode
        let fallback: Decline.Category = latest?.declineType == "HARD" ? .notPermitted : .generic
        let category = code.flatMap { BraintreeDeclines.category($0) } ?? (status == .failed ? .temporary : fallback)
        let words = [code.map { "code \($0)" }, latest?.declineType.map { "decline \($0)" }].compactMap { $0 }
        let detail = words.isEmpty ? "" : " (\(words.joined(separator: ", ")))"
        return Decline(code: code ?? word, category: category, message: "Braintree answered \(word)\(detail).")
    }

    /// Whether the gateway rejected it as the duplicate of another one.
    var isDuplicate: Bool { status == .gatewayRejected && latest?.rejectionReason == "DUPLICATE" }
}
