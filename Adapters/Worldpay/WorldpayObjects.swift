import AdapterKit
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
    var links: WorldpayPaymentState.Links
    var network: String?
    var last4: String?

    /// Reads the object; nil if it is no record as Worldpay documents it.
    init?(_ json: JSON, _ links: LinkReader) {
        guard let id = json["paymentId"]?.stringValue.flatMap(ProtocolText.word),
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
        network = card?["brand"]?.stringValue.flatMap(ProtocolText.word)
        last4 = card?["number"]?["last4Digits"]?.stringValue.flatMap(ProtocolText.word)
    }

    /// What later operations need.
    var state: WorldpayPaymentState {
        WorldpayPaymentState(links: links, captures: events.count { $0.name == "settlementRequested" })
    }

    /// Whether what was held was released.
    ///
    /// A reversal releases what is not captured, and else gives it back.
    var isVoided: Bool { has("cancellationRequestSubmitted") || (has("reversalRequestSubmitted") && !isCaptured) }

    /// Whether anything was sent for settlement.
    var isCaptured: Bool { has("settlementRequestSubmitted") || has("saleSucceeded") }

    /// Whether all of it was reversed: what was held is released, and what had been captured given back.
    var isReversed: Bool { has("reversalRequestSubmitted") }

    /// What was sent for settlement by no capture of ours, but by the account itself or in the portal: the amounts.
    ///
    /// Nil while it is not known of a part whether it was.
    var capturedUnasked: [Int64]? {
        if has("saleSucceeded") { return [amount] }
        var (parts, left) = ([Int64](), amount)
        for request in events where request.name == "settlementRequested" && !request.isOurs {
            // The events of a sale in one call share one command.
            let answers = events.filter {
                $0.command == request.command && $0.name.hasPrefix("settlement") && $0.name != request.name
            }
            if answers.contains(where: { $0.name == "settlementRequestSubmitted" }) {
                let part = min(left, max(0, request.amount ?? left))
                left -= part
                if part > 0 { parts.append(part) }
            } else if answers.isEmpty || answers.contains(where: { $0.name != "settlementRequestSubmissionFailed" }) {
                return nil
            }
        }
        return parts
    }

    /// What was sent for settlement ever, by captures of ours and of others, in minor units.
    ///
    /// A settlement that failed once it was submitted is part of it: the record does not tell of that.
    var capturedEver: Int64 {
        if has("saleSucceeded") { return amount }
        let commands = Set(events.filter { $0.name == "settlementRequestSubmitted" }.map(\.command))
        let requests = events.filter { $0.name == "settlementRequested" && commands.contains($0.command) }
        return requests.reduce(0) { sum, request in
            let (total, isTooMuch) = sum.addingReportingOverflow(max(0, request.amount ?? amount - sum))
            return isTooMuch ? .max : total
        }
    }

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

/// One event in the record of a payment.
struct RecordedEvent {
    /// For example `settlementRequested`.
    var name: String
    /// Worldpay's name of the request that led to it; the events of one request share it.
    var command: String
    /// Our reference of a partial settlement or a partial refund.
    var reference: String?
    /// What was asked for, in minor units.
    var amount: Int64?
    var currency: String?
    /// The issuer's code of a refusal.
    var code: String?
    /// Why a request failed.
    var error: String?

    /// Whether it is about a part that we asked for.
    var isOurs: Bool { reference.flatMap(OperationReference.operation) != nil }

    /// Reads the object; nil if it is no event as Worldpay documents it.
    init?(_ json: JSON) {
        guard let name = json["eventName"]?.stringValue.flatMap(ProtocolText.word),
            let command = json["commandId"]?.stringValue, !command.isEmpty
        else { return nil }
        self.name = name
        self.command = command
        reference = (json["settlementReference"] ?? json["refundReference"])?.stringValue
        amount = json["value"]?["amount"]?.integerValue
        currency = json["value"]?["currency"]?.stringValue
        code = json["code"]?.stringValue.flatMap(ProtocolText.word)
        error = json["error"]?["name"]?.stringValue.flatMap(ProtocolText.word)
    }
}

/// What later operations of a payment need: the links that Worldpay gave for it, as paths behind the base URL.
///
/// Its text is the provider state that the gateway keeps.
struct WorldpayPaymentState: Hashable {
    /// Where to send a capture, a void or a refund, as far as Worldpay offers it.
    struct Links: Hashable {
        var capture: String?
        var void: String?
        var refund: String?

        /// Whether there is none.
        var isEmpty: Bool { capture == nil && void == nil && refund == nil }
    }

    var links: Links
    /// How many captures have been asked for.
    var captures: Int

    /// Makes a state.
    init(links: Links, captures: Int) {
        self.links = links
        self.captures = captures
    }

    /// Reads the text; nil if it is none of ours.
    init?(_ text: String) {
        guard let json = try? JSON.parse(text: text), let captures = json["captures"]?.integerValue,
            0...1000 ~= captures
        else { return nil }
        let path = { (name: String) in
            json[name]?.stringValue.flatMap { LinkReader.isSafe($0) ? $0 : nil }
        }
        links = Links(capture: path("capture"), void: path("void"), refund: path("refund"))
        self.captures = Int(captures)
    }

    /// The text; nil if there is nothing to keep.
    var text: String? {
        guard !links.isEmpty || captures > 0 else { return nil }
        return JSON.object(omittingAbsent: [
            "capture": links.capture.map(JSON.string),
            "void": links.void.map(JSON.string),
            "refund": links.refund.map(JSON.string),
            "captures": .integer(Int64(captures)),
        ]).text
    }

    /// Where to send an operation.
    func link(for kind: Call.Kind) -> String? {
        switch kind {
        case .authorize: nil
        case .capture: links.capture
        case .void: links.void
        case .refund: links.refund
        }
    }
}
