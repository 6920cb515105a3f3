import StrictJSON

/// A refund as Braintree shows it.
struct BraintreeRefund {
    /// The operation in the books.
    let operation: Operation
    /// What it gives back a part of.
    let authorization: Authorization
    /// Whether it has just been asked for, and has not settled therefore.
    let isFresh: Bool

    /// Shows a refund.
    init(_ operation: Operation, of authorization: Authorization, isFresh: Bool) {
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
            "paymentMethod": BraintreeMethodDocument.vaulted(command),
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
