extension OrderMachine {
    /// Folds a report into its operation, and does what its success implies.
    mutating func absorb(_ report: Report, at place: Place) {
        let before = self[place]
        let next = state(after: report.outcome, of: before)
        note(report.outcome, of: before)
        if before.repliedAt == nil { self[place].repliedAt = now }
        let isNews = before.state.givesWay(to: next)
        keepReferences(report.outcome, at: place, overwriting: isNews)
        guard isNews else { return rest(before, report, at: place) }
        if before.state.isDefinite {
            raise(.successAfterRefusal, before, at: place, amountAtRisk: before.amount)
        }
        let prior = attempt(at: place)
        self[place].state = next
        rest(self[place], report, at: place)
        if next.isDefinite { calm(before.id) }
        if next == .succeeded {
            succeed(Self.success(in: report.outcome, of: before), report, at: place, prior: prior)
        }
        tell(before.state, next, at: place)
        if case .succeeded(let success) = report.outcome, before.kind == .authorize {
            let attempt = self.attempt(at: place)
            let captured = min(success.capturedAmount, attempt.authorized - attempt.captured)
            addPSPOperation(.capture, amount: captured, at: place)
        }
        learn(from: next, at: place)
        calmCompensation(at: place)
    }

    /// A refusal because it is so already has no amounts of its own.
    private static func success(in outcome: Outcome, of operation: Operation) -> Success {
        if case .succeeded(let success) = outcome { success } else { Success(reference: nil, amount: operation.amount) }
    }

    /// What an outcome says of an operation, given what it is and what went before.
    private func state(after outcome: Outcome, of operation: Operation) -> OperationState {
        switch outcome {
        case .succeeded: .succeeded
        case .declined(let decline): .declined(decline)
        case .pending: .pending
        case .actionRequired(let action, _): .actionRequired(bounded(action, after: operation.state))
        case .unknown(let reason): .unknown(reason: reason)
        case .notSent(let reason): stateIfNotSent(operation, reason)
        case .rejected(let rejection): stateIfRejected(operation, rejection)
        }
    }

    /// A step always has an end, and hearing of it again does not move the end that we gave it.
    private func bounded(_ action: NextAction, after state: OperationState) -> NextAction {
        guard action.expiresAt == nil else { return action }
        var action = action
        if case .actionRequired(let known) = state { action.expiresAt = known.expiresAt }
        action.expiresAt = action.expiresAt ?? now.adding(milliseconds: rules.actionLifeMilliseconds)
        return action
    }

    /// "Nothing left" says nothing of earlier tries.
    ///
    /// And what undoes or captures is tried again, not given up.
    private func stateIfNotSent(_ operation: Operation, _ reason: String) -> OperationState {
        let isFirstTry = operation.leases <= 1 && operation.state == .open
        return isFirstTry && operation.kind == .authorize
            ? .notSent(reason: reason) : .unknown(reason: "not sent: " + reason)
    }

    /// A refusal because it is so already is a success; one because it does not exist means that nothing was done.
    private func stateIfRejected(_ operation: Operation, _ rejection: Rejection) -> OperationState {
        switch (operation.kind, rejection.reason) {
        case (.void, .alreadyVoided), (.void, .expired), (.capture, .alreadyCaptured), (.reverse, .alreadyVoided):
            .succeeded
        case (.authorize, .notFound): .notSent(reason: "the PSP has no trace of it")
        case (_, .notFound) where operation.state != .open: .unknown(reason: "the PSP has no trace of it")
        default: .rejected(rejection)
        }
    }

    /// Old news fills gaps only, so that a late report cannot bring back an old version of the PSP's state.
    private mutating func keepReferences(_ outcome: Outcome, at place: Place, overwriting: Bool) {
        let (reference, state): (String?, String?) =
            switch outcome {
            case .succeeded(let success): (success.reference, success.state)
            case .pending(let progress), .actionRequired(_, let progress): (progress.reference, progress.state)
            case .declined, .rejected, .notSent, .unknown: (nil, nil)
            }
        func kept(_ known: String?, _ heard: String?) -> String? { overwriting ? heard ?? known : known ?? heard }
        let isAuthorization = self[place].kind == .authorize
        self[place].reference = kept(self[place].reference, reference)
        changeAttempt(at: place) {
            if isAuthorization { $0.pspReference = kept($0.pspReference, reference) }
            $0.pspState = kept($0.pspState, state)
        }
    }

    /// When the operation wants to be taken in hand again.
    ///
    /// What is heard elsewhere of an open operation does not end the lease of the instance that has it in hand.
    private mutating func rest(_ operation: Operation, _ report: Report, at place: Place) {
        if let holder = self[place].leasedBy, holder != instance, self[place].isOpen { return }
        self[place].leasedBy = nil
        switch self[place].state {
        case .open, .unknown:
            self[place].doubts += 1
            self[place].dueAt = now.adding(milliseconds: rules.pause(afterDoubts: self[place].doubts))
            if now.milliseconds(since: operation.createdAt) >= rules.attentionAfterMilliseconds {
                raise(.unknownOutcome, operation, at: place, amountAtRisk: operation.amount)
            }
        case .pending, .actionRequired:
            self[place].dueAt = now.adding(milliseconds: report.pollMilliseconds)
            if now.milliseconds(since: operation.createdAt) >= report.expectedWithinMilliseconds {
                raise(.overdue, operation, at: place, amountAtRisk: operation.amount)
            }
        case .notSent, .declined, .rejected, .succeeded:
            self[place].dueAt = nil
        }
    }

    mutating func note(_ outcome: Outcome, of operation: Operation) {
        let fact: (kind: String, reference: String?, amount: Int64?, code: String?) =
            switch outcome {
            case .succeeded(let success): ("succeeded", success.reference, success.amount, nil)
            case .declined(let decline): ("declined", nil, nil, decline.code)
            case .rejected(let rejection): ("rejected", nil, nil, rejection.reason.rawValue)
            case .pending(let progress): ("pending", progress.reference, nil, nil)
            case .actionRequired(_, let progress): ("action_required", progress.reference, nil, nil)
            case .notSent(let reason): ("not_sent", nil, nil, reason)
            case .unknown(let reason): ("unknown", nil, nil, reason)
            }
        record.facts.append(
            Fact(
                operation: operation.id,
                kind: fact.kind,
                reference: fact.reference ?? "",
                origin: operation.origin,
                amount: fact.amount,
                code: fact.code,
                at: now
            )
        )
    }

    mutating func tell(_ before: OperationState, _ next: OperationState, at place: Place) {
        guard before.name != next.name else { return }
        let operation = self[place]
        var details: [OrderEvent.Detail] = [.init("amount", .integer(operation.amount))]
        switch next {
        case .declined(let decline):
            details += [.init("category", .text(decline.category.rawValue)), .init("code", .text(decline.code))]
        case .rejected(let rejection):
            details += [.init("reason", .text(rejection.reason.rawValue)), .init("code", .text(rejection.code))]
        case .unknown(let reason), .notSent(let reason):
            details.append(.init("reason", .text(reason)))
            if let due = operation.dueAt { details.append(.init("next_try_at", .text(due.description))) }
        case .succeeded:
            details.append(.init("done_amount", .integer(operation.doneAmount)))
            if let reference = operation.reference { details.append(.init("psp_reference", .text(reference))) }
        case .open, .pending, .actionRequired: break
        }
        emit(
            "payment." + Self.word(for: operation.kind, next),
            of: order.payments[place.payment].id,
            operation: operation.id,
            details: details
        )
    }

    private static func word(for kind: Operation.Kind, _ state: OperationState) -> String {
        switch (kind, state) {
        case (.authorize, .succeeded): "authorized"
        case (.capture, .succeeded): "captured"
        case (.void, .succeeded): "voided"
        case (.refund, .succeeded), (.reverse, .succeeded): "refunded"
        case (.authorize, .unknown): "unresolved"
        case (.authorize, .actionRequired): "requires_action"
        case (.authorize, _): state.name
        case (.capture, .declined), (.capture, .rejected): "capture_failed"
        default: kind.rawValue + "_" + state.name
        }
    }
}
