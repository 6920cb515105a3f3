package import StrictJSON

extension TributaryClient {
    /// A word of the API that may get new values: what is not listed here has to be expected all the same.
    public struct Word: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
        /// The word as the API has it.
        public let rawValue: String

        /// Makes a word.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Makes a word.
        public init(stringLiteral value: String) { rawValue = value }

        /// The word.
        public var description: String { rawValue }
    }

    /// An order.
    public struct Order: Sendable {
        /// What the buyer does next.
        public struct Step: Hashable, Sendable {
            /// The payment that waits for it.
            public let payment: String
            /// What is to be done.
            public let action: Action
        }

        /// The id.
        public let id: String
        /// The marketplace's own reference.
        public let reference: String?
        /// Where it stands, for example `processing`, `requires_action`, `paid` or `failed`.
        public let status: Word
        /// `pending`, `accepted`, `refused` or `canceled`; a checkout shows success for `accepted` and nothing else.
        public let decision: Word
        /// Why it was decided so.
        public let decisionReason: Word?
        /// The currency's ISO 4217 code.
        public let currency: String
        /// The whole amount in minor units.
        public let amount: Int64
        /// What is authorized, in minor units.
        public let authorizedAmount: Int64
        /// What is captured, in minor units.
        public let capturedAmount: Int64
        /// What was given back, in minor units.
        public let refundedAmount: Int64
        /// When it was placed (RFC 3339).
        public let createdAt: String?
        /// A payment for each merchant.
        public let payments: [Payment]
        /// The refunds so far.
        public let refunds: [Refund]
        /// The buyer's steps, in the order to take them.
        public let nextActions: [Step]
        /// What was stored with it.
        public let metadata: [String: String]
        /// Whether this is what an earlier request under the same key was answered.
        public let isReplayed: Bool
        /// What came, whole.
        package let document: JSON
    }

    /// A payment: the part of an order for one merchant.
    public struct Payment: Sendable {
        /// Why the bank declined it.
        public struct Decline: Hashable, Sendable {
            /// The PSP's code.
            public let code: String
            /// The kind of decline.
            public let category: Word
            /// A sentence.
            public let message: String
            /// Whether the buyer may try again.
            public let isRetryable: Bool
        }

        /// A party's share of it.
        public struct Share: Hashable, Sendable {
            /// What it is for, for example `merchant`, `commission`, `tip` or `shipping`.
            public let kind: Word
            /// Whose it is: a merchant's external identifier, or the marketplace's id.
            public let party: String
            /// The share of the whole payment, in minor units.
            public let amount: Int64
            /// What of it is captured, in minor units.
            public let captured: Int64
            /// What of it was given back, in minor units.
            public let refunded: Int64
        }

        /// The id.
        public let id: String
        /// The name the merchant is known by.
        public let externalIdentifier: String
        /// Where it stands, for example `authorized`, `captured` or `declined`.
        public let status: Word
        /// What is asked for, in minor units.
        public let amount: Int64
        /// What is authorized, in minor units.
        public let authorizedAmount: Int64
        /// What is captured, in minor units.
        public let capturedAmount: Int64
        /// What was given back, in minor units.
        public let refundedAmount: Int64
        /// Who gets what of it, as it was frozen at the sale.
        public let allocation: [Share]
        /// The PSP's own reference.
        public let pspReference: String?
        /// Why it was declined, if it was.
        public let decline: Decline?
        /// What the buyer has to do, if anything.
        public let action: Action?
        /// What came, whole.
        package let document: JSON
    }

    /// Something that the buyer has to do.
    public struct Action: Hashable, Sendable {
        /// Of what kind.
        public let type: Word
        /// The page to go to.
        public let url: String?
        /// Until when (RFC 3339).
        public let expiresAt: String?
    }

    /// A refund.
    public struct Refund: Sendable {
        /// A part of it.
        public struct Part: Hashable, Sendable {
            /// The payment.
            public let payment: String
            /// What is to be given back of it, in minor units.
            public let amount: Int64
            /// Where it stands.
            public let status: Word
        }

        /// The id.
        public let id: String
        /// The order.
        public let order: String?
        /// Where it stands: `pending`, `succeeded`, `partially_succeeded` or `failed`.
        public let status: Word
        /// What is to be given back, in minor units.
        public let amount: Int64
        /// What was given back, in minor units.
        public let refundedAmount: Int64
        /// Its parts.
        public let items: [Part]
    }

    /// A page of orders.
    public struct OrderPage: Sendable {
        /// The orders, the newest first.
        public let orders: [Order]
        /// Whether there are more behind them: see ``OrderFilter/startingAfter``.
        public let hasMore: Bool
    }
}

// MARK: Reading

extension TributaryClient.Order {
    init(reading answer: ClientWire.Answer) throws(TributaryClient.Failure) {
        self = try answer.read { json throws(ClientWire.Unreadable) in
            try Self(reading: json, isReplayed: answer.isReplayed)
        }
    }

    init(reading json: JSON, isReplayed: Bool = false) throws(ClientWire.Unreadable) {
        document = json
        self.isReplayed = isReplayed
        id = try json.needed("id")
        reference = json["reference"]?.stringValue
        status = .init(rawValue: try json.needed("status"))
        decision = .init(rawValue: try json.needed("decision"))
        decisionReason = json.word("decision_reason")
        currency = try json.needed("currency")
        amount = try json.neededInteger("amount")
        authorizedAmount = json["authorized_amount"]?.integerValue ?? 0
        capturedAmount = json["captured_amount"]?.integerValue ?? 0
        refundedAmount = json["refunded_amount"]?.integerValue ?? 0
        createdAt = json["created_at"]?.stringValue
        var payments: [TributaryClient.Payment] = []
        for entry in json["payments"]?.arrayValue ?? [] { payments.append(try .init(reading: entry)) }
        self.payments = payments
        var refunds: [TributaryClient.Refund] = []
        for entry in json["refunds"]?.arrayValue ?? [] { refunds.append(try .init(reading: entry)) }
        self.refunds = refunds
        let waiting = payments.compactMap { payment in payment.action.map { Step(payment: payment.id, action: $0) } }
        // Who does not say in which order they come means that of the payments.
        nextActions =
            json["next_actions"]?.arrayValue?.compactMap { entry in
                guard let payment = entry["payment"]?.stringValue, let action = entry.action else { return nil }
                return Step(payment: payment, action: action)
            } ?? waiting
        let members = (json["metadata"]?.objectValue ?? []).map { ($0.key, $0.value.stringValue ?? $0.value.text) }
        metadata = Dictionary(members) { first, _ in first }
    }
}

extension TributaryClient.Payment {
    init(reading json: JSON) throws(ClientWire.Unreadable) {
        document = json
        id = try json.needed("id")
        externalIdentifier = try json.needed("external_identifier")
        status = .init(rawValue: try json.needed("status"))
        amount = try json.neededInteger("amount")
        authorizedAmount = json["authorized_amount"]?.integerValue ?? 0
        capturedAmount = json["captured_amount"]?.integerValue ?? 0
        refundedAmount = json["refunded_amount"]?.integerValue ?? 0
        allocation = (json["allocation"]?.arrayValue ?? []).compactMap { line in
            guard let kind = line.word("kind"), let party = line["party"]?.stringValue,
                let amount = line["amount"]?.integerValue
            else { return nil }
            return Share(
                kind: kind,
                party: party,
                amount: amount,
                captured: line["captured"]?.integerValue ?? 0,
                refunded: line["refunded"]?.integerValue ?? 0
            )
        }
        pspReference = json["psp_reference"]?.stringValue
        decline = json["decline"].flatMap { decline in
            guard let code = decline["code"]?.stringValue else { return nil }
            return Decline(
                code: code,
                category: decline.word("category") ?? "unknown",
                message: decline["message"]?.stringValue ?? "",
                isRetryable: decline["retryable"]?.boolValue ?? false
            )
        }
        action = json.action
    }
}

extension TributaryClient.Refund {
    init(reading json: JSON) throws(ClientWire.Unreadable) {
        id = try json.needed("id")
        order = json["order"]?.stringValue
        status = .init(rawValue: try json.needed("status"))
        amount = try json.neededInteger("amount")
        refundedAmount = json["refunded_amount"]?.integerValue ?? 0
        items = (json["items"]?.arrayValue ?? []).compactMap { entry in
            guard let payment = entry["payment"]?.stringValue, let amount = entry["amount"]?.integerValue else {
                return nil
            }
            return Part(payment: payment, amount: amount, status: entry.word("status") ?? "unknown")
        }
    }
}

extension TributaryClient.OrderPage {
    init(reading json: JSON) throws(ClientWire.Unreadable) {
        guard let entries = json["data"]?.arrayValue else { throw ClientWire.Unreadable() }
        var orders: [TributaryClient.Order] = []
        for entry in entries { orders.append(try .init(reading: entry)) }
        self.orders = orders
        hasMore = json["has_more"]?.boolValue ?? false
    }
}

extension JSON {
    fileprivate var action: TributaryClient.Action? {
        guard let action = self["action"], let type = action.word("type") else { return nil }
        return TributaryClient.Action(
            type: type,
            url: action["url"]?.stringValue,
            expiresAt: action["expires_at"]?.stringValue
        )
    }

    fileprivate func word(_ key: String) -> TributaryClient.Word? {
        self[key]?.stringValue.map { TributaryClient.Word(rawValue: $0) }
    }

    fileprivate func needed(_ key: String) throws(ClientWire.Unreadable) -> String {
        guard let text = self[key]?.stringValue else { throw ClientWire.Unreadable() }
        return text
    }

    fileprivate func neededInteger(_ key: String) throws(ClientWire.Unreadable) -> Int64 {
        guard let integer = self[key]?.integerValue else { throw ClientWire.Unreadable() }
        return integer
    }
}
