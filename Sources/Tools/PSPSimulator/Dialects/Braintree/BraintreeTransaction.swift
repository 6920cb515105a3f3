import StrictJSON

/// A transaction as Braintree shows it.
struct BraintreeTransaction {
    /// The authorization in the books.
    let authorization: Authorization
    /// Whether what was taken has settled; refunds need that, and voids that it has not.
    let isSettled: Bool

    /// Shows a transaction.
    ///
    /// - Parameters:
    ///   - authorization: the authorization in the books.
    ///   - now: the time; nil in the answer to a capture, which never has settled yet.
    init(_ authorization: Authorization, at now: Int64?) {
        self.authorization = authorization
        isSettled = now.map { Self.isSettled(authorization, at: $0) } ?? false
    }

    /// Whether what was taken has settled by then.
    static func isSettled(_ authorization: Authorization, at now: Int64) -> Bool {
        guard let capturedAt = authorization.capturedAt else { return false }
        guard case .settle(let milliseconds) = authorization.script.effect(of: .refund) else { return true }
        return now >= capturedAt + milliseconds
    }

    /// Braintree's name for it.
    var name: BraintreeName {
        BraintreeName(.transaction, authorization.id, authorization.command.currency)
    }

    /// The caller's name for it: the latest that a capture gave it, or the one that it was made with.
    var orderId: String? {
        let captures = authorization.operations.dropFirst().filter { $0.kind == .capture && $0.status != .failed }
        return captures.compactMap { $0.details["orderId"] }.last ?? authorization.command.details["orderId"]
    }

    /// The merchant account that it settles into.
    var merchantAccountId: String {
        authorization.command.details["merchantAccountId"] ?? authorization.account
    }

    /// Where it stands.
    var status: String {
        let captures = authorization.operations.dropFirst().filter { $0.kind == .capture }
        switch authorization.status {
        case .pending, .requiresAction: return "AUTHORIZING"
        case .declined: return authorization.decline.map { BraintreeDecline($0).status } ?? "FAILED"
        case .expired: return "AUTHORIZATION_EXPIRED"
        case .voided, .canceled:
            let isDeclined = captures.last.map { [.failed, .failedLater].contains($0.status) } ?? false
            return isDeclined ? "SETTLEMENT_DECLINED" : "VOIDED"
        case .authorized: return captures.last?.status == .pending ? "SETTLEMENT_PENDING" : "AUTHORIZED"
        case .captured: return isSettled ? "SETTLED" : "SUBMITTED_FOR_SETTLEMENT"
        }
    }

    /// What was taken; before that what is held, or what was asked for.
    var amount: Int64 {
        if authorization.status != .voided, authorization.captured > 0 { return authorization.captured }
        let pending = authorization.pending(.capture)
        if pending > 0 { return pending }
        return authorization.authorized > 0 ? authorization.authorized : authorization.command.amount
    }

    /// The object.
    ///
    /// - Parameter depth: how many steps lead on to refunds and disputes, and from them back to the transaction.
    /// - Returns: the object.
    func json(depth: Int = 2) -> JSON {
        let command = authorization.command
        let isPartial = authorization.authorized > 0 && authorization.authorized < command.amount
        return [
            "__typename": "Transaction", "id": .string(name.global), "legacyId": .string(name.legacy),
            "createdAt": .string(BraintreeMoment.text(authorization.createdAt)),
            "paymentMethodSnapshot": BraintreeMethodDocument.snapshot(command),
            "paymentMethod": BraintreeMethodDocument.vaulted(authorization),
            "amount": Self.money(amount, command.currency),
            "initialRequestedAuthorizationAmount": Self.money(command.amount, command.currency),
            "merchantId": .string(authorization.account), "merchantAccountId": .string(merchantAccountId),
            "orderId": .optional(orderId), "purchaseOrderNumber": .optional(command.details["purchaseOrderNumber"]),
            "channel": .optional(command.details["channel"]), "source": "API", "status": .string(status),
            "processorResponse": processorResponse, "statusHistory": .array(BraintreeHistory(self).events),
            "customFields": .array(
                command.metadata.sorted { $0.key < $1.key }.map { name, value in
                    ["__typename": "CustomField", "name": .string(name), "value": .string(value)]
                }
            ),
            "refunds": depth > 0 ? .array(refunds.map { $0.json(depth: depth - 1) }) : [],
            "disputes": depth > 0 ? .array(disputes(depth: depth - 1)) : [],
            "disbursementDetails": .optional(disbursed.map { Self.disbursement(amount, command.currency, on: $0) }),
            "retried": false, "partiallyAuthorized": .bool(isPartial),
        ]
    }

    /// What was given back, or tried to.
    var refunds: [BraintreeRefund] {
        authorization.operations.dropFirst().filter { $0.kind == .refund }
            .map { BraintreeRefund($0, of: authorization, isFresh: false) }
    }

    /// An amount.
    static func money(_ minor: Int64, _ currency: String) -> JSON {
        [
            "__typename": "MonetaryAmount", "value": .string(BraintreeAmount.text(minor, currency)),
            "currencyIsoCode": .string(currency), "currencyCode": .string(currency),
        ]
    }

    /// The day on which it was disbursed: that on which it was taken, once that has settled; nil until then.
    var disbursed: String? {
        status == "SETTLED" ? authorization.capturedAt.map(BraintreeMoment.day) : nil
    }

    /// A disbursement to a bank account of the same currency.
    static func disbursement(_ minor: Int64, _ currency: String, on day: String) -> JSON {
        [
            "__typename": "DisbursementDetails", "date": .string(day), "amount": money(minor, currency),
            "exchangeRate": "1", "fundsHeld": false,
        ]
    }

    /// What the processor said to the authorization.
    var processorResponse: JSON {
        if let decline = authorization.decline.map(BraintreeDecline.init) {
            return decline.code == nil ? .null : BraintreeDecline.response(decline.code, decline.text)
        }
        guard authorization.authorized > 0 else { return .null }
        guard authorization.authorized == authorization.command.amount else {
            return BraintreeDecline.response("1004", "Approved for less than requested amount")
        }
        return BraintreeDecline.response("1000", "Approved")
    }

    private func disputes(depth: Int) -> [JSON] {
        authorization.disputes.map { BraintreeDispute($0, of: self).json(depth: depth) }
    }
}

/// A refund as Braintree shows it.
struct BraintreeRefund {
    /// The operation in the books.
    let operation: BookedOperation
    /// What it gives back a part of.
    let authorization: Authorization
    /// Whether it has just been asked for, and has not settled therefore.
    let isFresh: Bool

    /// Shows a refund.
    init(_ operation: BookedOperation, of authorization: Authorization, isFresh: Bool) {
        self.operation = operation
        self.authorization = authorization
        self.isFresh = isFresh
    }

    /// Braintree's name for it.
    var name: BraintreeName { BraintreeName(.refund, operation.id, authorization.command.currency) }

    /// The caller's name for it; the transaction's if it has none of its own.
    var orderId: String? { operation.details["orderId"] ?? transaction.orderId }

    /// The merchant account that it comes from.
    var merchantAccountId: String { operation.details["merchantAccountId"] ?? transaction.merchantAccountId }

    /// Where it stands.
    var status: String {
        switch operation.status {
        case .pending: "SETTLEMENT_PENDING"
        case .succeeded, .reversed: isFresh ? "SUBMITTED_FOR_SETTLEMENT" : "SETTLED"
        case .failed: operation.decline.map { BraintreeDecline($0).status } ?? "FAILED"
        case .failedLater: "SETTLEMENT_DECLINED"
        }
    }

    /// The day on which it was disbursed; nil until it has settled.
    var disbursed: String? { status == "SETTLED" ? BraintreeMoment.day(operation.at) : nil }

    /// The object.
    ///
    /// - Parameter depth: how many steps lead back to the transaction and on to its refunds.
    /// - Returns: the object.
    func json(depth: Int = 2) -> JSON {
        let command = authorization.command
        return [
            "__typename": "Refund", "id": .string(name.global), "legacyId": .string(name.legacy),
            "createdAt": .string(BraintreeMoment.text(operation.at)),
            "amount": BraintreeTransaction.money(operation.amount, command.currency),
            "orderId": .optional(orderId), "status": .string(status), "statusHistory": .array(history),
            "merchantAccountId": .string(merchantAccountId), "source": "API",
            "disbursementDetails": .optional(
                disbursed.map { BraintreeTransaction.disbursement(operation.amount, command.currency, on: $0) }
            ),
            "refundedTransaction": depth > 0 ? transaction.json(depth: depth - 1) : .null,
            "paymentMethodSnapshot": BraintreeMethodDocument.snapshot(command),
            "paymentMethod": BraintreeMethodDocument.vaulted(authorization),
        ]
    }

    /// What has been refunded is settled.
    private var transaction: BraintreeTransaction { BraintreeTransaction(authorization, at: .max) }

    private var history: [JSON] {
        let submitted = event("SubmittedForSettlementEvent", "SUBMITTED_FOR_SETTLEMENT", [])
        switch status {
        case "SUBMITTED_FOR_SETTLEMENT": return [submitted]
        case "SETTLED": return [event("SettledEvent", status, []), submitted]
        case "SETTLEMENT_PENDING": return [event("SettlementPendingEvent", status, []), submitted]
        case "SETTLEMENT_DECLINED":
            let response = BraintreeHistory.settlementDeclined
            return [event("SettlementDeclinedEvent", status, [JSON.Member("processorResponse", response)]), submitted]
        default:
            guard let decline = operation.decline.map(BraintreeDecline.init) else { return [] }
            return [event(decline.event, status, decline.members)]
        }
    }

    private func event(_ type: String, _ status: String, _ members: [JSON.Member]) -> JSON {
        BraintreeHistory.event(
            type,
            status,
            at: operation.at,
            BraintreeTransaction.money(operation.amount, authorization.command.currency),
            members
        )
    }
}

/// The statuses that a transaction has passed through.
private struct BraintreeHistory {
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

    private static func events(of operation: BookedOperation, _ amount: JSON) -> [JSON] {
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

/// Moments as Braintree writes them.
enum BraintreeMoment {
    /// An ISO 8601 timestamp with microseconds, in UTC.
    static func text(_ milliseconds: Int64) -> String {
        "\(Moment.text(milliseconds)).\(String(1000 + milliseconds % 1000).dropFirst())000Z"
    }

    /// The day in UTC.
    static func day(_ milliseconds: Int64) -> String { String(Moment.text(milliseconds).prefix(10)) }
}
