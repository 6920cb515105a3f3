import Domain

extension Order {
    /// An operation with the attempt and payment it belongs to.
    struct Found {
        let payment: Payment
        let attempt: Attempt
        let operation: Operation

        /// The PSP account's name over all marketplaces.
        func accountName(in order: Order) -> String { "\(order.marketplace)/\(attempt.route.pspAccount)" }

        /// The PSP and the account, as they are counted.
        func labels(in order: Order) -> PSPMetrics.Account {
            PSPMetrics.Account(psp: attempt.route.psp, account: accountName(in: order))
        }

        /// The real moment at which it is too late to send it; nil for never.
        ///
        /// A first authorization is not begun once its order is decided without it. What may have been sent before is
        /// asked after whatever the order's decision.
        func launchBy(in order: Order) -> Timestamp? {
            guard operation.kind == .authorize, operation.leases <= 1, order.wantsAuthorization(of: payment) else {
                return nil
            }
            let last =
                order.terms.onDeadline == .abandon
                ? min(order.terms.deadlineAt, order.terms.decideBy) : order.terms.decideBy
            return order.clock.realTime(of: last)
        }
    }

    /// Finds an operation.
    func find(_ id: OperationID) -> Found? {
        for payment in payments {
            for attempt in payment.attempts {
                if let operation = attempt.operations.first(where: { $0.id == id }) {
                    return Found(payment: payment, attempt: attempt, operation: operation)
                }
            }
        }
        return nil
    }
}
