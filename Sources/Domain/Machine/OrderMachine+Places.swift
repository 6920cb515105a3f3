extension OrderMachine {
    /// Where an operation stands in the order.
    struct Place {
        let payment: Int
        let attempt: Int
        let operation: Int
    }

    func find(_ id: OperationID) -> Place? {
        for (payment, candidate) in order.payments.enumerated() {
            for (attempt, tried) in candidate.attempts.enumerated() {
                if let operation = tried.operations.firstIndex(where: { $0.id == id }) {
                    return Place(payment: payment, attempt: attempt, operation: operation)
                }
            }
        }
        return nil
    }

    subscript(id: OperationID) -> Operation? { find(id).map { self[$0] } }

    subscript(place: Place) -> Operation {
        get { order.payments[place.payment].attempts[place.attempt].operations[place.operation] }
        set { order.payments[place.payment].attempts[place.attempt].operations[place.operation] = newValue }
    }

    func attempt(at place: Place) -> Attempt { order.payments[place.payment].attempts[place.attempt] }

    mutating func changeAttempt(at place: Place, _ body: (inout Attempt) -> Void) {
        body(&order.payments[place.payment].attempts[place.attempt])
    }

    mutating func change(_ id: OperationID, _ body: (inout Operation) -> Void) {
        guard let place = find(id) else { return }
        body(&self[place])
    }

    mutating func emit(
        _ type: String,
        of payment: PaymentID? = nil,
        operation: OperationID? = nil,
        details: [OrderEvent.Detail] = []
    ) {
        order.eventSequence += 1
        record.events.append(
            OrderEvent(
                id: ids.make(at: now),
                sequence: order.eventSequence,
                type: type,
                payment: payment,
                operation: operation,
                at: now,
                details: details
            )
        )
    }

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

    /// An operation is definite now: what we were unsure of needs nobody any more.
    mutating func calm(_ operation: OperationID) {
        order.attention.removeAll {
            $0.operation == operation && ($0.reason == .unknownOutcome || $0.reason == .overdue)
        }
    }

    /// Nothing is left to give back: the refusals on the way need nobody any more.
    mutating func calmCompensation(at place: Place) {
        let attempt = self.attempt(at: place)
        guard !attempt.authorization.isOpen, attempt.held == 0, attempt.net == 0 else { return }
        let undone = Set(attempt.operations.map(\.id))
        order.attention.removeAll { undone.contains($0.operation) && $0.reason == .compensationRefused }
    }
}
