extension OrderMachine {
    /// Hears from an operator what became of an operation; folds like a PSP's own word.
    ///
    /// - Parameters:
    ///   - id: the operation.
    ///   - word: what became of it.
    ///   - evidence: where the operator saw it, for example the PSP's name for the object.
    ///   - reason: why the operator says so.
    ///   - person: who the operator is.
    /// - Throws: ``RequestRefusal`` if it is known already, unless the word is a success after a refusal; and if it is
    /// said to have come to nothing while an instance has it in hand, whose call may still succeed.
    package mutating func resolve(
        _ id: OperationID,
        _ word: OperatorWord,
        evidence: String,
        reason: String,
        by person: String
    ) throws(RequestRefusal) {
        guard let place = find(id) else {
            throw RequestRefusal(.unknownOperation, "The order has no such operation.")
        }
        let operation = self[place]
        let (outcome, state) = Self.meaning(of: word, for: operation)
        let isNew = !operation.state.isDefinite || (operation.state.isRefusal && state == .succeeded)
        guard isNew else {
            throw RequestRefusal(
                .operationSettled,
                "The operation is \(operation.state.name) already.",
                payment: order.payments[place.payment].id
            )
        }
        if state != .succeeded, operation.isHeld(at: now) {
            throw Self.inFlight(operation, of: order.payments[place.payment].id)
        }
        let before = order.status
        emit(
            "payment.resolved",
            of: order.payments[place.payment].id,
            operation: id,
            details: [
                .init("outcome", .text(state.name)), .init("evidence", .text(evidence)),
                .init("reason", .text(reason)), .init("by", .text(person)),
            ]
        )
        note(outcome, of: operation, saidBy: .operator)
        fold(state, Report(operation: id, outcome: outcome), at: place)
        settle(from: before)
    }

    private static func meaning(of word: OperatorWord, for operation: Operation) -> (Outcome, OperationState) {
        switch word {
        case .succeeded(let amount, let reference):
            return (.succeeded(Success(reference: reference, amount: amount ?? operation.amount)), .succeeded)
        case .failed where operation.kind == .authorize:
            let decline = Decline(code: "operator", category: .generic, message: "An operator found it declined.")
            return (.declined(decline), .declined(decline))
        case .failed:
            let rejection = Rejection(.unsupported, code: "operator", message: "An operator found it refused.")
            return (.rejected(rejection), .rejected(rejection))
        case .notSent:
            let reason = "An operator found that it never reached the PSP."
            return (.notSent(reason: reason), .notSent(reason: reason))
        }
    }
}
