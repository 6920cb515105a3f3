import Domain

extension Table {
    /// A row for each payment of an order.
    init(paymentsOf order: Order) {
        self.init(
            "id",
            "merchant",
            "psp_account",
            "psp_reference",
            "amount",
            "status",
            "authorized",
            "captured",
            "refunded",
            "card",
            "reason"
        )
        let currency = order.amount.currency
        for payment in order.payments {
            let attempt = payment.attempt
            let card = [attempt.network, attempt.last4].compactMap(\.self).joined(separator: " ")
            add(
                .text(payment.id.text),
                .text(payment.externalIdentifier),
                .text(attempt.route.pspAccount),
                .optional(attempt.pspReference),
                .amount(payment.amount, currency),
                .text(payment.state.rawValue),
                .amount(payment.authorized, currency),
                .amount(payment.captured, currency),
                .amount(payment.refunded, currency),
                .optional(card.isEmpty ? nil : card),
                .optional(attempt.authorization.state.reason)
            )
        }
    }

    /// A row for each operation of an order, in the order of asking within each payment.
    init(operationsOf order: Order) {
        self.init(
            "operation",
            "merchant",
            "psp_account",
            "kind",
            "origin",
            "amount",
            "state",
            "done",
            "tries",
            "created_at",
            "replied_at",
            "next_at",
            "reason"
        )
        let currency = order.amount.currency
        for payment in order.payments {
            for attempt in payment.attempts {
                for operation in attempt.operations {
                    add(
                        .text(operation.id.text),
                        .text(payment.externalIdentifier),
                        .text(attempt.route.pspAccount),
                        .text(operation.kind.rawValue),
                        .text(operation.origin.rawValue),
                        .amount(operation.amount, currency),
                        .text(operation.state.name),
                        .amount(operation.doneAmount, currency),
                        .integer(operation.leases),
                        .moment(operation.createdAt),
                        .moment(operation.repliedAt),
                        .moment(operation.dueAt),
                        .optional(operation.state.reason)
                    )
                }
            }
        }
    }
}

extension OperationState {
    /// Why it stands where it stands, in the PSP's words or ours; nil where the state says it all.
    fileprivate var reason: String? {
        switch self {
        case .open, .pending, .succeeded: nil
        case .unknown(let reason), .notSent(let reason): reason
        case .actionRequired(let action): action.kind.rawValue
        case .declined(let decline): "\(decline.code): \(decline.message)"
        case .rejected(let rejection), .reversed(let rejection): "\(rejection.code): \(rejection.message)"
        }
    }
}
