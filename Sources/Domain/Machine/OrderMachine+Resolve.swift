extension OrderMachine {
    /// Hears from an operator what became of an operation; folds like a PSP's own word.
    ///
    /// - Parameters:
    ///   - id: the operation.
    ///   - word: what became of it.
    ///   - evidence: where the operator has it from.
    /// - Throws: ``RequestRefusal`` if it is known already, unless the word is a success after a refusal; and if it is
    /// said to have come to nothing while an instance has it in hand, whose call may still succeed; and if a refund is said
    /// to be what another one made, or an authorization another payment than the PSP named, or one that is undone.
    package mutating func resolve(
        _ id: OperationID,
        _ word: ManualOutcome,
        _ evidence: OrderRequest.Evidence
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
        if case .succeeded(_, let reference?) = word { try check(reference, for: operation, at: place) }
        let before = order.status
        emit(
            "payment.resolved",
            of: order.payments[place.payment].id,
            operation: id,
            details: [.init("outcome", .text(state.name))] + evidence.details
        )
        recordFact(outcome, of: operation, saidBy: .operator)
        transition(state, Report(operation: id, outcome: outcome), at: place)
        raiseRefusedRefund(operation, at: place)
        decideAndFollowUp(from: before)
    }

    /// Refuses a name of the PSP's that an operation cannot have made.
    private func check(_ name: String, for operation: Operation, at place: Place) throws(RequestRefusal) {
        let payment = order.payments[place.payment]
        if operation.kind == .refund { return try requireUnknown(name, besides: operation, in: payment) }
        guard operation.kind == .authorize else { return }
        let known = attempt(at: place).pspReference ?? name
        let isSurplus = payment.attempts.contains { $0.isSurplus && $0.pspReference == name }
        guard known != name || isSurplus else { return }
        throw RequestRefusal(
            .referenceKnown,
            isSurplus
                ? "\(name) is a second authorization, which is undone."
                : "The PSP named the payment \(known): it is not \(name).",
            payment: payment.id
        )
    }

    /// Refuses the PSP's name of a refund that another refund of ours made.
    private func requireUnknown(
        _ reference: String,
        besides operation: Operation,
        in payment: Payment
    ) throws(RequestRefusal) {
        let known = payment.attempts.flatMap { $0.all(.refund) }.first { other in
            other.id != operation.id && other.origin == .gateway && other.reference == reference
                && !other.state.isRefusal
        }
        guard let known else { return }
        throw RequestRefusal(
            .referenceKnown,
            "\(reference) is what \(known.id.text) made, which is \(known.state.name): it is not this refund's.",
            payment: payment.id
        )
    }

    private static func meaning(of word: ManualOutcome, for operation: Operation) -> (Outcome, OperationState) {
        switch word {
        case .succeeded(let amount, let reference):
            return (.succeeded(Success(reference: reference, amount: amount ?? operation.amount)), .succeeded)
        case .failed where operation.kind == .authorize:
            let decline = Decline(
                code: Rejection.operatorCode,
                category: .generic,
                message: "An operator found it declined."
            )
            return (.declined(decline), .declined(decline))
        case .failed:
            let rejection = Rejection(
                .unsupported,
                code: Rejection.operatorCode,
                message: "An operator found it refused."
            )
            return (.rejected(rejection), .rejected(rejection))
        case .notSent:
            let reason = "An operator found that it never reached the PSP."
            return (.notSent(reason: reason), .notSent(reason: reason))
        }
    }
}

extension OrderMachine {
    /// Tries now what rests: asks or sends again what is in doubt, and begins anew what the PSP refused to release, to give
    /// back or to capture, though the order still wants it.
    ///
    /// - Parameters:
    ///   - id: the operation; nil for all of the order's that rest.
    ///   - person: who asks for it.
    /// - Throws: ``RequestRefusal`` if there is nothing to try, or an instance has the operation in hand.
    package mutating func retry(_ id: OperationID?, by person: String) throws(RequestRefusal) {
        let before = order.status
        if let id, find(id) == nil {
            throw RequestRefusal(.unknownOperation, "The order has no such operation.")
        }
        if let id, let operation = self[id], operation.isHeld(at: now), let place = find(id) {
            throw Self.inFlight(operation, of: order.payments[place.payment].id)
        }
        var tried = 0
        // By their places, since what is begun anew claims its part before the next one is looked at.
        let asked = order.payments.flatMap(\.attempts).flatMap(\.operations).map(\.id).filter { id == nil || $0 == id }
        for place in asked.compactMap(find) where tryNow(at: place, by: person) { tried += 1 }
        guard tried > 0 else {
            throw RequestRefusal(
                .nothingToRetry,
                "Nothing that was named is in doubt, or was refused and is still wanted; `orders show` lists what is open."
            )
        }
        decideAndFollowUp(from: before)
    }

    /// Tries one operation, and says whether there was reason to.
    private mutating func tryNow(at place: Place, by person: String) -> Bool {
        let (operation, attempt, payment) = (self[place], attempt(at: place), order.payments[place.payment])
        guard operation.origin == .gateway, !operation.isHeld(at: now) else { return false }
        let isWaiting = operation.isOpen && (operation.dueAt ?? now) > now
        let isRefused = operation.state.isRefusal && attempt.openOperations.isEmpty
        let plan = isRefused ? wanted(insteadOf: operation, in: attempt, of: payment) : nil
        guard isWaiting || plan != nil else { return false }
        emit(
            "payment.retry_requested",
            of: payment.id,
            operation: operation.id,
            details: [.init("kind", .text(operation.kind.rawValue)), .init("by", .text(person))]
        )
        if isWaiting {
            change(operation.id) { [now] in $0.dueAt = now }
        } else if let plan {
            if operation.leftNothing, operation.amount == plan.amount {
                beginAnew(operation.id, delayMilliseconds: 0)
            } else {
                start(plan, in: attempt, of: payment)
            }
        }
        return true
    }

    /// What the order would ask for now, had the PSP not refused the operation; nil if that is not the same.
    ///
    /// A void releases what is held by then, and what is owed is given back, however much that was when it was refused; of a
    /// refund that was asked for less may be left by then.
    private func wanted(
        insteadOf operation: Operation,
        in attempt: Attempt,
        of payment: Payment
    ) -> PlannedOperation? {
        if operation.kind == .capture {
            let hasFailed = attempt.failedCaptures.contains { $0.id == operation.id }
            let isWanted =
                order.decision.state == .accepted && order.counts(payment) && attempt.id == payment.attempt.id
                && !isCompensating && attempt.held >= operation.amount && hasFailed
                && attempt.latestCapture?.id == operation.id
            return isWanted
                ? PlannedOperation(kind: .capture, amount: operation.amount, isFinal: operation.isFinal) : nil
        }
        let last = attempt.operations.last {
            $0.kind == operation.kind && $0.refund == operation.refund && $0.origin == .gateway
        }
        guard last?.id == operation.id else { return nil }
        let plan =
            operation.refund.map { next(of: $0, in: attempt, of: payment) }
            ?? plannedOperation(of: attempt, in: payment) ?? cancel(of: attempt, in: payment)
        return plan?.kind == operation.kind ? plan : nil
    }

    /// What calls off a step that the buyer did not finish in time.
    private func cancel(of attempt: Attempt, in payment: Payment) -> PlannedOperation? {
        guard attempt.id == payment.attempt.id, let expiry = actionExpiry(of: payment), expiry <= now else {
            return nil
        }
        return undo(attempt, in: payment)
    }

    /// The refusal to say what became of an operation, or to try it, while its call is out.
    static func inFlight(_ operation: Operation, of payment: PaymentID) -> RequestRefusal {
        RequestRefusal(
            .operationInFlight,
            """
            An instance has the \(operation.kind.rawValue) in hand until \(operation.dueAt?.description ?? "it answers"): \
            its call may still succeed. Look again after that.
            """,
            payment: payment
        )
    }
}

extension Operation {
    /// Whether an instance has it in hand and may be calling the PSP.
    func isHeld(at time: Timestamp) -> Bool { isOpen && leasedBy != nil && dueAt.map { $0 > time } ?? false }
}
