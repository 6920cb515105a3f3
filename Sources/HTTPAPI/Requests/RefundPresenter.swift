package import Domain
package import StrictJSON

/// Writes refunds as the API shows them.
package enum RefundPresenter {
    /// A refund of an order as JSON.
    package static func json(_ refund: Refund, of order: Order) -> JSON {
        .object(omittingAbsent: [
            "id": .string(refund.id.text), "order": .string(order.id.text),
            "status": .string(order.status(of: refund).rawValue), "amount": .integer(refund.amount),
            "refunded_amount": .integer(order.amountRefunded(by: refund.id)),
            "currency": .string(order.amount.currency.code), "borne_by": .string(refund.borneBy.rawValue),
            "reason": refund.reason.isEmpty ? .none : .string(refund.reason),
            "items": .array(refund.items.map { item($0, of: refund, in: order) }),
            "created_at": .string(refund.createdAt.description),
        ])
    }

    private static func item(_ item: Refund.Item, of refund: Refund, in order: Order) -> JSON {
        let payment = order.payments.first { $0.id == item.payment }
        let operations = payment?.attempts.flatMap(\.operations).filter { $0.refund == refund.id } ?? []
        let done = operations.reduce(0) { $0 + $1.doneAmount }
        return .object(omittingAbsent: [
            "payment": .string(item.payment.text),
            "external_identifier": payment.map { .string($0.externalIdentifier) },
            "amount": .integer(item.amount), "refunded_amount": .integer(done),
            "status": .string(status(operations, done: done, of: item)),
            "psp_reference": operations.compactMap(\.reference).last.map(JSON.string),
            "failure": operations.last.flatMap(failure),
        ])
    }

    private static func status(_ operations: [Operation], done: Int64, of item: Refund.Item) -> String {
        if operations.contains(where: \.isOpen) { return Refund.Status.pending.rawValue }
        if done >= item.amount { return Refund.Status.succeeded.rawValue }
        return (done > 0 ? Refund.Status.partiallySucceeded : .failed).rawValue
    }

    private static func failure(_ operation: Operation) -> JSON? {
        switch operation.state {
        case .rejected(let rejection), .reversed(let rejection):
            ["code": .string(rejection.code), "message": .string(rejection.message)]
        case .declined(let decline): ["code": .string(decline.code), "message": .string(decline.message)]
        case .notSent(let reason): ["code": "not_sent", "message": .string(reason)]
        case .open, .unknown, .pending, .actionRequired, .succeeded: nil
        }
    }
}
