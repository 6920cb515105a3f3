import Domain
import StrictJSON

/// What the Payment Queries API keeps of a payment: what was asked, and everything that happened.
struct PaymentRecord {
    var id: String
    /// Our attempt.
    var reference: String
    /// What the authorization was asked for, in minor units.
    var amount: Int64
    var currency: String
    var events: [RecordedEvent]
    var links: PaymentState.Links
    var network: String?
    var last4: String?

    /// Reads the object; nil if it is no record as Worldpay documents it.
    init?(_ json: JSON, _ links: LinkReader) {
        guard let id = json["paymentId"]?.stringValue.flatMap(WorldpayRefusal.word),
            let reference = json["transactionReference"]?.stringValue,
            let amount = json["value"]?["amount"]?.integerValue, amount > 0,
            let currency = json["value"]?["currency"]?.stringValue,
            let events = json["events"]?.arrayValue
        else { return nil }
        self.id = id
        self.reference = reference
        self.amount = amount
        self.currency = currency
        self.events = events.compactMap(RecordedEvent.init)
        guard self.events.count == events.count else { return nil }
        self.links = links.links(json)
        let card = json["paymentInstrument"]?["card"]
        network = card?["brand"]?.stringValue.flatMap(WorldpayRefusal.word)
        last4 = card?["number"]?["last4Digits"]?.stringValue.flatMap(WorldpayRefusal.word)
    }

    /// What later operations need.
    var state: PaymentState {
        PaymentState(links: links, captures: events.count { $0.name == "settlementRequested" })
    }

    /// Whether what was held was released.
    ///
    /// A reversal releases what is not captured, and else gives it back.
    var isVoided: Bool { has("cancellationRequestSubmitted") || (has("reversalRequestSubmitted") && !isCaptured) }

    /// Whether anything was sent for settlement.
    var isCaptured: Bool { has("settlementRequestSubmitted") || has("saleSucceeded") }

    /// The event that ended the authorization or the sale, if it has come; a success has the last word.
    var authorization: RecordedEvent? {
        let ends = events.filter { event in
            ["authorization", "sale"].contains { event.name.hasPrefix($0) } && !event.name.hasSuffix("Requested")
        }
        return ends.first { $0.name.hasSuffix("Succeeded") } ?? ends.first
    }

    /// Whether there is an event of that name.
    func has(_ name: String) -> Bool { events.contains { $0.name == name } }

    /// What was asked for under a reference of ours: `settlement` or `refund`.
    func request(_ action: String, reference: String) -> RecordedEvent? {
        events.first { $0.name == action + "Requested" && $0.reference == reference }
    }

    /// What became of a request: an event of the same command that is not the request itself; a success has the last
    /// word.
    func answer(to request: RecordedEvent) -> RecordedEvent? {
        let answers = events.filter { $0.command == request.command && $0.name != request.name }
        return answers.first { $0.name.hasSuffix("Submitted") } ?? answers.first
    }
}
