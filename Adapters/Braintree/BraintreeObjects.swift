import AdapterKit
package import Domain
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
    /// The month and the year after which the card is no longer good.
    var expiryMonth: Int?
    var expiryYear: Int?
    /// The payment method in the vault; nil if it is not there.
    var paymentMethod: String?
    /// What the card scheme calls the authorization.
    var networkTransactionID: String?
    /// Its refunds, where they were asked for.
    var refunds: [RefundObject]?

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
        expiryMonth = card?["expirationMonth"]?.stringValue.flatMap { Int($0) }.flatMap { 1...12 ~= $0 ? $0 : nil }
        expiryYear = card?["expirationYear"]?.stringValue.flatMap { Int($0) }.flatMap { 2000...2999 ~= $0 ? $0 : nil }
        networkTransactionID = snapshot?["networkTransactionId"]?.stringValue
        let method = json["paymentMethod"].flatMap { $0["usage"] == "MULTI_USE" ? $0["id"]?.stringValue : nil }
        paymentMethod = method.flatMap { Word.isIdentifier($0) ? $0 : nil }
        let refunds = json["refunds"]?.arrayValue
        let read = refunds?.compactMap(RefundObject.init)
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
        return Decline(
            code: code ?? word,
            category: category,
            message: "Braintree answered \(word)\(detail).",
            advice: retryAdvice
        )
    }

    /// Whether and when it may be tried again: a closed card, then what Mastercard says, then Braintree's kind of decline.
    private var retryAdvice: Decline.RetryAdvice? {
        if latest?.processorCode == BraintreeDeclines.closedCard { return .revoked }
        return latest?.merchantAdvice.flatMap { Decline.RetryAdvice(mastercard: $0) }
            ?? (latest?.declineType == "HARD" ? .never : nil)
    }

    /// Whether the gateway rejected it as the duplicate of another one.
    var isDuplicate: Bool { status == .gatewayRejected && latest?.rejectionReason == "DUPLICATE" }
}

/// What an outcome needs of a refund.
struct RefundObject {
    /// The gateway's identifier, which webhooks and reports name.
    var legacyID: String
    /// Our operation.
    var orderID: String?
    /// Nil if it is none that the schema has.
    var status: PaymentStatus?
    var amount: Money
    /// The processor's code, as a word.
    var processorCode: String?
    /// The GraphQL identifier of what it refunds.
    var transaction: String?

    /// Reads the object; nil if it is no refund as the schema has it.
    init?(_ json: JSON) {
        guard let legacyID = json["legacyId"]?.stringValue, Word.isIdentifier(legacyID),
            let status = json["status"]?.stringValue, let amount = json["amount"].flatMap(Money.init(braintree:))
        else { return nil }
        self.legacyID = legacyID
        self.status = PaymentStatus(rawValue: status)
        self.amount = amount
        orderID = json["orderId"]?.stringValue
        let known = self.status
        processorCode = StatusEvent.history(json["statusHistory"]).first { $0.status == known }?.processorCode
        transaction = json["refundedTransaction"]?["id"]?.stringValue
    }
}

/// Where a transaction or a refund stands (`PaymentStatus` of the schema).
enum PaymentStatus: String {
    case authorizationExpired = "AUTHORIZATION_EXPIRED"
    case authorized = "AUTHORIZED"
    case authorizing = "AUTHORIZING"
    case failed = "FAILED"
    case gatewayRejected = "GATEWAY_REJECTED"
    case processorDeclined = "PROCESSOR_DECLINED"
    case settled = "SETTLED"
    /// Captured in parts by other transactions, which only PayPal and Venmo have.
    case settlementConfirmed = "SETTLEMENT_CONFIRMED"
    case settlementDeclined = "SETTLEMENT_DECLINED"
    case settlementPending = "SETTLEMENT_PENDING"
    case settling = "SETTLING"
    case submittedForSettlement = "SUBMITTED_FOR_SETTLEMENT"
    case voided = "VOIDED"
}

/// One entry of `statusHistory`: a status that a transaction or a refund passed through, and why.
struct StatusEvent {
    var status: PaymentStatus?
    /// The amount it was about.
    var amount: Money?
    /// When a hold lapses.
    var authorizationExpiresAt: Timestamp?
    /// The processor's code, as a word.
    var processorCode: String?
    /// `HARD` or `SOFT`.
    var declineType: String?
    /// Mastercard's merchant advice code.
    var merchantAdvice: String?
    /// Why the gateway itself rejected it, as a word.
    var rejectionReason: String?

    /// Reads the object; what is missing or of another form is nil.
    init(_ json: JSON) {
        status = json["status"]?.stringValue.flatMap(PaymentStatus.init(rawValue:))
        amount = json["amount"].flatMap(Money.init(braintree:))
        authorizationExpiresAt = json["authorizationExpiresAt"]?.stringValue.flatMap(Timestamp.init(rfc3339:))
        processorCode = json["processorResponse"]?["legacyCode"]?.stringValue.flatMap(Word.init)?.text
        declineType = json["declineType"]?.stringValue.flatMap(Word.init)?.text
        merchantAdvice = json["merchantAdviceCodeResponse"]?["code"]?.stringValue
        rejectionReason = json["gatewayRejectionReason"]?.stringValue.flatMap(Word.init)?.text
    }

    /// Reads a history, newest first; empty if there is none.
    static func history(_ json: JSON?) -> [StatusEvent] { (json?.arrayValue ?? []).map(StatusEvent.init) }
}

/// Reading Braintree's amounts.
extension Money {
    /// Reads a `MonetaryAmount`, decimal text and a currency; nil if it is none.
    init?(braintree json: JSON) {
        guard let value = json["value"]?.stringValue, let code = json["currencyCode"]?.stringValue else { return nil }
        self.init(braintree: value, code)
    }

    /// Reads decimal text in the currency of that code; nil if it is no amount.
    init?(braintree value: String, _ code: String) {
        guard let currency = Currency(code: code), let money = try? Money(decimal: value, currency: currency) else {
            return nil
        }
        self = money
    }
}

/// Reading Braintree's times.
extension Timestamp {
    /// Reads RFC 3339 in UTC, with or without a fraction: `2026-11-21T10:33:20.000000Z`; nil if it is none.
    ///
    /// Digits beyond microseconds are dropped.
    package init?(rfc3339 text: String) {
        guard text.utf8.last == UInt8(ascii: "Z"), let moment = RFC3339.timestamp(text, .strict) else { return nil }
        self = moment
    }

    /// Reads a date, `2026-11-21`, as the moment it begins in UTC; nil if it is none.
    package init?(date text: String) {
        guard text.utf8.count == 10, let day = CalendarDay(text) else { return nil }
        self = day.start
    }
}
