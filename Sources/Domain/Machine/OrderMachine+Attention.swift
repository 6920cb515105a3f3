extension OrderMachine {
    /// Tells a person once of something about an operation.
    mutating func raise(_ reason: Attention.Reason, _ operation: Operation, at place: Place, amountAtRisk: Int64) {
        let payment = order.payments[place.payment].id
        // Each try to undo is an operation of its own; that they are refused is one thing to look at.
        let isPerPayment = reason == .compensationRefused
        let isRaised = order.attention.contains {
            $0.reason == reason && (isPerPayment ? $0.payment == payment : $0.operation == operation.id)
        }
        guard !isRaised else { return }
        order.attention.append(
            Attention(
                payment: payment,
                operation: operation.id,
                reason: reason,
                amountAtRisk: amountAtRisk,
                since: now
            )
        )
        emit(
            "order.attention_required",
            of: payment,
            operation: operation.id,
            details: [
                .init("reason", .text(reason.rawValue)), .init("amount_at_risk", .integer(amountAtRisk)),
            ]
        )
    }

    /// Keeps what a person is told of an attempt's amounts in step with them: these items are a pure function of what
    /// is known, so that they come and go with it.
    mutating func review(at place: Place) {
        withdrawExcess(at: place)
        let (payment, attempt) = (order.payments[place.payment], attempt(at: place))
        let authorization = attempt.authorization
        tend(.overRefunded, authorization, at: place, amountAtRisk: payment.overrun(of: attempt))
        let captures = attempt.operations.reduce(Int64(0)) { sum, operation in
            guard operation.kind == .capture else { return sum }
            return sum + (operation.isOpen ? operation.amount : operation.doneAmount)
        }
        let excess = authorization.state == .succeeded ? captures - authorization.doneAmount : 0
        tend(.overCaptured, authorization, at: place, amountAtRisk: excess)
        for operation in attempt.operations where operation.givesBack {
            guard case .reversed = operation.state else { continue }
            tend(.refundFailed, operation, at: place, amountAtRisk: attempt.net > 0 ? operation.amount : 0)
        }
    }

    private mutating func tend(
        _ reason: Attention.Reason,
        _ operation: Operation,
        at place: Place,
        amountAtRisk: Int64
    ) {
        let index = order.attention.firstIndex { $0.reason == reason && $0.operation == operation.id }
        guard amountAtRisk > 0 else {
            if let index { order.attention.remove(at: index) }
            return
        }
        guard let index else { return raise(reason, operation, at: place, amountAtRisk: amountAtRisk) }
        let known = order.attention[index]
        order.attention[index] = Attention(
            payment: known.payment,
            operation: known.operation,
            reason: reason,
            amountAtRisk: amountAtRisk,
            since: known.since
        )
    }

    /// Takes back refunds that were never sent if what became known leaves nothing for them to give back.
    private mutating func withdrawExcess(at place: Place) {
        while true {
            let (payment, attempt) = (order.payments[place.payment], attempt(at: place))
            let isOver = payment.overrun(of: attempt) > 0
            let unsent = attempt.operations.last {
                $0.givesBack && $0.isOpen && $0.leases == 0 && (isOver || Self.isRedundant($0, in: attempt))
            }
            guard let unsent, let excess = find(unsent.id) else { return }
            self[excess].state = .notSent(reason: "nothing is left to give back")
            self[excess].dueAt = nil
            self[excess].repliedAt = now
            tell(unsent.state, self[excess].state, at: excess)
        }
    }

    /// Whether an earlier try of the same refund gave back what this one is to give back.
    private static func isRedundant(_ operation: Operation, in attempt: Attempt) -> Bool {
        guard let refund = operation.refund, let first = attempt.operations.first(where: { $0.refund == refund }) else {
            return false
        }
        return attempt.refunded { $0.refund == refund } + operation.amount > first.amount
    }

    /// An operation is definite now: what we were unsure of needs nobody any more.
    mutating func calm(_ operation: OperationID) {
        order.attention.removeAll {
            $0.operation == operation && ($0.reason == .unknownOutcome || $0.reason == .overdue)
        }
    }

    /// Nothing is left to release or give back: the refusals on the way need nobody any more.
    mutating func calmCompensation(at place: Place) {
        let (payment, attempt) = (order.payments[place.payment], attempt(at: place))
        if order.terms.onCaptureFailure == .attention, payment.state == .captured, attempt.failedCapture == nil {
            let over = Set(attempt.operations.filter { $0.kind == .capture && $0.state.rank < 5 }.map(\.id))
            order.attention.removeAll { $0.reason == .captureFailed && over.contains($0.operation) }
        }
        let isWanted = order.counts(payment) && attempt.id == payment.attempt.id && !isCompensating
        let isEven = isWanted || (payment.refundable(of: attempt) == 0 && attempt.openRefunds == 0)
        guard !attempt.authorization.isOpen, attempt.held == 0, isEven else { return }
        let undone = Set(attempt.operations.map(\.id))
        order.attention.removeAll { undone.contains($0.operation) && $0.reason == .compensationRefused }
    }
}
