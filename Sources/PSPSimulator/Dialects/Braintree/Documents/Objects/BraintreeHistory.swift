import StrictJSON

/// The statuses that a transaction has passed through.
struct BraintreeHistory {
    /// The events, the latest first.
    let events: [JSON]

    /// The history of a transaction.
    init(_ transaction: BraintreeTransaction) {
        let authorization = transaction.authorization
        let money = { BraintreeTransaction.money($0, authorization.command.currency) }
        var events = Self.beginning(transaction)
        for operation in authorization.operations.dropFirst() {
            events += Self.events(of: operation, money(operation.kind == .void ? transaction.amount : operation.amount))
        }
        let status = transaction.status
        if status == "SETTLED" {
            let time = authorization.capturedAt ?? authorization.createdAt
            events.append(Self.event("SettledEvent", status, at: time, money(transaction.amount)))
        }
        if status == "AUTHORIZATION_EXPIRED" {
            let time = authorization.expiresAt ?? authorization.createdAt
            events.append(Self.event("AuthorizationExpiredEvent", status, at: time, money(transaction.amount)))
        }
        self.events = events.reversed()
    }

    /// What a processor says that does not settle.
    static let settlementDeclined: JSON = [
        "__typename": "TransactionSettlementProcessorResponse", "legacyCode": "4001",
        "message": "Settlement Declined",
    ]

    /// An event.
    ///
    /// - Parameters:
    ///   - type: what it is in the schema.
    ///   - status: the status that it led to.
    ///   - time: when, in milliseconds since 1970.
    ///   - amount: the amount then.
    ///   - members: what events of that type hold beside what all hold.
    /// - Returns: the object.
    static func event(
        _ type: String,
        _ status: String,
        at time: Int64,
        _ amount: JSON,
        _ members: [JSON.Member] = []
    ) -> JSON {
        let usual: [JSON.Member] = [
            JSON.Member("__typename", .string(type)), JSON.Member("status", .string(status)),
            JSON.Member("timestamp", .string(BraintreeMoment.text(time))), JSON.Member("amount", amount),
            JSON.Member("source", "API"), JSON.Member("terminal", .bool(final.contains(status))),
        ]
        return .object(usual + members)
    }

    private static let final: Set<String> = [
        "AUTHORIZATION_EXPIRED", "FAILED", "GATEWAY_REJECTED", "PROCESSOR_DECLINED", "SETTLED",
        "SETTLEMENT_DECLINED", "VOIDED",
    ]

    /// The authorization, and the capture that came with it.
    private static func beginning(_ transaction: BraintreeTransaction) -> [JSON] {
        let authorization = transaction.authorization
        let currency = authorization.command.currency
        if let decline = authorization.decline.map(BraintreeDecline.init) {
            let amount = BraintreeTransaction.money(authorization.command.amount, currency)
            return [event(decline.event, decline.status, at: authorization.createdAt, amount, decline.members)]
        }
        guard authorization.authorized > 0 else { return [] }
        let amount = BraintreeTransaction.money(authorization.authorized, currency)
        let members = [
            JSON.Member("processorResponse", transaction.processorResponse),
            JSON.Member("authorizationExpiresAt", .optional(authorization.expiresAt.map(BraintreeMoment.text))),
        ]
        let held = event("AuthorizedEvent", "AUTHORIZED", at: authorization.createdAt, amount, members)
        guard authorization.capturesAtOnce else { return [held] }
        return [held, submitted(at: authorization.createdAt, amount)]
    }

    private static func events(of operation: Operation, _ amount: JSON) -> [JSON] {
        let declined = event(
            "SettlementDeclinedEvent",
            "SETTLEMENT_DECLINED",
            at: operation.at,
            amount,
            [JSON.Member("processorResponse", settlementDeclined)]
        )
        switch (operation.kind, operation.status) {
        case (.capture, .succeeded), (.capture, .reversed): return [submitted(at: operation.at, amount)]
        case (.capture, .pending):
            let pending = event("SettlementPendingEvent", "SETTLEMENT_PENDING", at: operation.at, amount)
            return [submitted(at: operation.at, amount), pending]
        case (.capture, .failed), (.capture, .failedLater): return [submitted(at: operation.at, amount), declined]
        case (.void, .succeeded): return [event("VoidedEvent", "VOIDED", at: operation.at, amount)]
        default: return []
        }
    }

    private static func submitted(at time: Int64, _ amount: JSON) -> JSON {
        event("SubmittedForSettlementEvent", "SUBMITTED_FOR_SETTLEMENT", at: time, amount)
    }
}
