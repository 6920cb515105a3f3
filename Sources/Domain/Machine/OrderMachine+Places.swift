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
                details: details,
                caller: caller
            )
        )
    }
}
