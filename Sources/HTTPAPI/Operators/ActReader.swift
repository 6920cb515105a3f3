import Domain
import Gateway
import Storage
import StrictJSON

/// Reads the bodies of operators' acts.
enum ActReader {
    /// What somebody found out about an operation.
    struct Resolution: Sendable {
        let operation: OperationID
        let outcome: ManualOutcome
        let evidence: String
        let reason: String
    }

    /// A payout as it is told, with its merchant by name.
    struct ToldPayout: Sendable {
        let merchant: String
        let amount: Money
        let reference: String
        let paidAt: Timestamp?
    }

    /// Which callbacks are delivered again.
    struct ReplayRange: Sendable {
        let state: StoredCallback.State?
        let type: String?
        let order: OrderID?
        let from: Timestamp?
        let to: Timestamp?
    }

    private enum OutcomeWord: String, CaseIterable {
        case succeeded
        case failed
        case notSent = "not_sent"
    }

    /// The body of `POST /v1/orders/{id}/resolve`.
    ///
    /// - Throws: `InvalidDocument`.
    static func resolution(_ json: JSON) throws(InvalidDocument) -> Resolution {
        try json.read(refusingNull: true) { body in
            let operation = body.parsed("operation", expecting: "an operation's id") { OperationID($0) }
            let word = body.choice("outcome", of: OutcomeWord.self)
            let amount = body.integer("amount", .optional, in: 0 ... .max)
            let reference = body.string("psp_reference", .optional, by: TextRule.reference.accept)
            let evidence = body.string("evidence", length: 1...500, by: TextRule.freeText.accept)
            let reason = body.string("reason", length: 1...500, by: TextRule.freeText.accept)
            for key in ["amount", "psp_reference"] where word != .succeeded && body.contains(key) {
                body.refuse(key, "contradiction", "Belongs to what succeeded.")
            }
            guard let operation, let word, let evidence, let reason else { return nil }
            let outcome: ManualOutcome =
                switch word {
                case .succeeded: .succeeded(amount: amount, reference: reference)
                case .failed: .failed
                case .notSent: .notSent
                }
            return Resolution(operation: operation, outcome: outcome, evidence: evidence, reason: reason)
        }
    }

    /// The body of `POST /v1/orders/{id}/retry`: an operation; nil for all that rest.
    ///
    /// - Throws: `InvalidDocument`.
    static func retry(_ json: JSON) throws(InvalidDocument) -> OperationID? {
        try json.read(refusingNull: true) { body -> OperationID?? in
            .some(body.parsed("operation", .optional, expecting: "an operation's id") { OperationID($0) })
        }
    }

    /// The body of `POST /v1/payouts`.
    ///
    /// - Throws: `InvalidDocument`.
    static func payout(_ json: JSON) throws(InvalidDocument) -> ToldPayout {
        try json.read(refusingNull: true) { body in
            let merchant = body.string("merchant", length: 1...128, by: TextRule.identifier.accept)
            let currency = body.parsed("currency", expecting: "an ISO 4217 code") { Currency(code: $0) }
            let amount = body.integer("amount", in: 1 ... .max)
            let reference = body.string("reference", by: TextRule.reference.accept)
            let paidAt = moment("paid_at", body)
            guard let merchant, let currency, let amount, let reference,
                let money = try? Money(minorUnits: amount, currency: currency)
            else { return nil }
            return ToldPayout(merchant: merchant, amount: money, reference: reference, paidAt: paidAt)
        }
    }

    /// The body of acts that need nothing but a reason.
    ///
    /// - Throws: `InvalidDocument`.
    static func reason(_ json: JSON) throws(InvalidDocument) -> String {
        try json.read(refusingNull: true) { body in
            body.string("reason", length: 1...500, by: TextRule.freeText.accept)
        }
    }

    /// The body of `POST /v1/breaks/{id}/resolve`.
    ///
    /// - Throws: `InvalidDocument`.
    static func decision(_ json: JSON) throws(InvalidDocument) -> (state: BreakState, reason: String) {
        try json.read(refusingNull: true) { body -> (state: BreakState, reason: String)? in
            let state = body.choice("as", of: BreakState.self)
            let reason = body.string("reason", length: 1...500, by: TextRule.freeText.accept)
            guard let state, let reason else { return nil }
            return (state, reason)
        }
    }

    /// The body of `POST /v1/callback-endpoints/{id}`.
    ///
    /// - Throws: `InvalidDocument`.
    static func address(_ json: JSON) throws(InvalidDocument) -> String {
        try json.read(refusingNull: true) { body in body.string("url", length: 1...2000, by: TextRule.reference.accept)
        }
    }

    /// The body of `POST /v1/callback-endpoints/{id}/rotate`: how long the secret before goes on signing, in milliseconds;
    /// a day unless it says.
    ///
    /// - Throws: `InvalidDocument`.
    static func overlap(_ json: JSON) throws(InvalidDocument) -> Int64 {
        try json.read(refusingNull: true) { body in
            (body.integer("overlap_seconds", .optional, in: 0...2_592_000) ?? 86_400) * 1000
        }
    }

    /// The body of `POST /v1/callback-endpoints/{id}/replay`: `{}` for dead letters, else all that is as it says.
    ///
    /// - Throws: `InvalidDocument`.
    static func replay(_ json: JSON) throws(InvalidDocument) -> ReplayRange {
        try json.read(refusingNull: true) { body in
            let isNarrow = ["status", "type", "order", "from", "to"].contains(where: body.contains)
            let state = body.choice("status", .optional, of: StoredCallback.State.self)
            let type = body.string("type", .optional, by: TextRule.reference.accept)
            let order = body.parsed("order", .optional, expecting: "an order's id") { OrderID($0) }
            return ReplayRange(
                state: isNarrow ? state : .dead,
                type: type,
                order: order,
                from: moment("from", body),
                to: moment("to", body)
            )
        }
    }

    /// The body of `POST /v1/keys`.
    ///
    /// - Throws: `InvalidDocument`.
    static func key(_ json: JSON) throws(InvalidDocument) -> KeyDraft {
        try json.read(refusingNull: true) { body in
            let name = body.string("name", .optional, length: 1...KeyDraft.nameLimit, by: TextRule.freeText.accept)
            let networks =
                body.contains("networks")
                ? body.strings(
                    "networks",
                    count: 1...KeyDraft.networkLimit,
                    expecting: "a range of addresses as 192.0.2.0/24 or 2001:db8::/32"
                ) { NetworkRange($0) } : []
            let scopes = body.strings("scopes", count: 1...10, expecting: "the name of a scope") { KeyScope($0) }
            let end = moment("expires_at", body)
            let version = body.parsed("api_version", .optional, expecting: "a version of the API") { APIVersion($0) }
            guard let scopes, let networks else { return nil }
            let merchants = Set(scopes).filter { if case .merchant = $0 { true } else { false } }
            if merchants.count > 1 { body.refuse("scopes", "contradiction", "A key is for one merchant.") }
            return KeyDraft(named: name, scopes, from: networks, until: end, pinnedTo: version?.text)
        }
    }

    /// A moment; nil if it is not there, or none.
    static func moment(_ key: String, _ body: ObjectReader) -> Timestamp? {
        body.parsed(key, .optional, expecting: "an RFC 3339 time") { RFC3339.timestamp($0, .strict) }
    }
}
