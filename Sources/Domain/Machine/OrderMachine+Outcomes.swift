extension OrderMachine {
    /// Applies a report to its operation, and does what its success implies.
    mutating func apply(_ report: Report, saidBy origin: Operation.Origin? = nil, at place: Place) {
        let before = self[place]
        if case .succeeded(let success) = report.outcome, origin == nil, before.hasMade(anotherThan: success.reference)
        {
            return addDuplicate(of: before, success, isFinal: before.isFinal, at: place)
        }
        recordFact(report.outcome, of: before, saidBy: origin ?? before.origin)
        if case .notSent = report.outcome, before.isOnlySending { self[place].forgetSendings() }
        if report.isAnswered, before.isOpen { self[place].isAnsweredInDoubt = true }
        transition(state(after: report, of: before), report, at: place)
        guard case .succeeded(let success) = report.outcome, origin == nil else { return }
        hearMore(success.amount, at: place)
    }

    /// Puts an operation into a state if that is news, and does what it implies.
    mutating func transition(_ next: OperationState, _ report: Report, at place: Place) {
        if next == .succeeded, self[place].kind == .void { approveWhatIsReleased(at: place) }
        let told = next == .succeeded ? explain(report.outcome, at: place) : 0
        let (before, prior) = (self[place], order.payments[place.payment])
        if before.repliedAt == nil { self[place].repliedAt = now }
        let isNews = before.state.givesWay(to: next)
        recordReferences(report.outcome, at: place, overwriting: isNews)
        if before.state.contradicts(next) || (next == .succeeded && before.waitsToBeginAnew) {
            let more = moreNamed(as: before, at: place)
            raise(.successAfterRefusal, before, at: place, amountAtRisk: before.amount + more)
        }
        guard isNews else { return applyRepeated(report, at: place) }
        self[place].state = next
        if next.isReversed { self[place].hasFailedUnheard = !before.state.hasSucceeded }
        if next == .succeeded, self[place].repliedAt != now { self[place].succeededLaterAt = now }
        scheduleNextTry(behind: before, report, at: place)
        if next.isDefinite { clearAttention(of: before.id) }
        switch next {
        case .succeeded:
            succeed(Self.success(in: report.outcome, of: before), report, after: before.state, at: place)
        case .reversed: reverse(at: place)
        case .open, .unknown, .pending, .actionRequired, .notSent, .declined, .rejected: break
        }
        if next.hasSucceeded { post(Self.entry(for: before.kind, next), before.id, since: prior, at: place) }
        emitTransition(from: before.state, to: next, at: place)
        if next == .succeeded { hearCaptured(report, at: place) }
        hearMore(told, at: place)
        if next.hasSucceeded { followEffect(at: place) }
        inferFromRefusal(next, report, at: place)
        if case .unknown = before.state { closeNeedlessVoids(at: place) }
        reroute(before, report.outcome, at: place)
        refreshAttention(at: place)
        clearCompensationAttention(at: place)
    }

    /// What else the PSP told under the name of what an operation made, which stands and falls with it.
    private func moreNamed(as operation: Operation, at place: Place) -> Int64 {
        guard let name = operation.reference, operation.kind == .capture || operation.kind == .refund else { return 0 }
        return attempt(at: place).all(operation.kind).reduce(0) { sum, other in
            let isMore = other.id != operation.id && other.origin == .psp && other.reference == name
            return isMore && other.state == .succeeded ? sum + other.doneAmount : sum
        }
    }

    /// What is no news of the operation may be news of what it made.
    private mutating func applyRepeated(_ report: Report, at place: Place) {
        let operation = self[place]
        if operation.isOpen { scheduleNextTry(behind: operation, report, at: place) }
        if case .succeeded = report.outcome { self[place].hasFailedUnheard = false }
        guard operation.state == .succeeded, case .succeeded = report.outcome else { return }
        hearCaptured(report, at: place)
    }

    /// Hears what an approval, or a void that is done or had been, says of captures.
    private mutating func hearCaptured(_ report: Report, at place: Place) {
        let kind = self[place].kind
        guard kind == .authorize || kind == .void else { return }
        switch report.outcome {
        case .succeeded(let success): hearCaptured(success, severalCaptures: report.severalCaptures, at: place)
        case .rejected(let rejection) where kind == .void:
            let told = Success(reference: nil, amount: 0, capturedAmount: rejection.captured)
            hearCaptured(told, severalCaptures: report.severalCaptures, at: place)
        case .rejected, .pending, .actionRequired, .declined, .notSent, .unknown: break
        }
    }

    /// Withdraws what was kept as the PSP's own and turns out to be what an operation is about to have done.
    ///
    /// - Returns: the amount that was told under the name of what it made.
    private mutating func explain(_ outcome: Outcome, at place: Place) -> Int64 {
        let operation = self[place]
        guard operation.state.givesWay(to: .succeeded) else { return 0 }
        let success = Self.success(in: outcome, of: operation)
        let amount = min(Self.bounded(success.amount), operation.amount)
        let told = adoptPSPOperation(success.reference ?? operation.reference, taking: amount, at: place)
        if operation.kind == .capture || operation.kind == .refund {
            allocateImplied(besides: operation.kind, of: amount, at: place)
        }
        return told
    }

    static func entry(for kind: Operation.Kind, _ state: OperationState) -> JournalEntry.Kind {
        guard state == .succeeded else { return .reversal }
        return switch kind {
        case .authorize: .authorization
        case .capture: .capture
        case .void: .release
        case .refund, .reverse: .refund
        }
    }

    /// A refusal because it is so already has no amounts of its own.
    private static func success(in outcome: Outcome, of operation: Operation) -> Success {
        if case .succeeded(let success) = outcome { success } else { Success(reference: nil, amount: operation.amount) }
    }

    /// What an outcome says of an operation, given what it is and what went before.
    private func state(after report: Report, of operation: Operation) -> OperationState {
        switch report.outcome {
        case .succeeded: .succeeded
        case .declined(let decline): .declined(decline)
        case .pending: .pending
        case .actionRequired(let action, _): .actionRequired(bounded(action, after: operation.state))
        case .unknown(let reason) where PlantedBug.doubtTakenForLoss.isPlanted && operation.kind == .authorize:
            .notSent(reason: reason)
        case .unknown(let reason): .unknown(reason: reason)
        case .notSent(let reason): stateIfNotSent(operation, reason)
        case .rejected(let rejection): stateIfRejected(operation, rejection, severalCaptures: report.severalCaptures)
        }
    }

    /// A step always has an end, and hearing of it again does not move the end that we gave it.
    private func bounded(_ action: NextAction, after state: OperationState) -> NextAction {
        var action = action
        if let told = action.expiresAt {
            action.expiresAt = order.clock.time(at: told)
            // To a PSP an end stays where it is, however often ours is moved.
            if order.clock.isMoved, case .actionRequired(let known) = state, let end = known.expiresAt {
                action.expiresAt = min(order.clock.time(at: told), end)
            }
            return action
        }
        if case .actionRequired(let known) = state { action.expiresAt = known.expiresAt }
        action.expiresAt = action.expiresAt ?? now.adding(milliseconds: rules.actionLifeMilliseconds)
        return action
    }

    /// "Nothing left" says nothing of earlier tries.
    ///
    /// And what undoes or captures is tried again, not given up; but a release is once nothing is held any more, because the
    /// hold lapsed or somebody else let go of it.
    private func stateIfNotSent(_ operation: Operation, _ reason: String) -> OperationState {
        let isGivenUp =
            switch operation.kind {
            case .authorize: operation.isFirstTry
            case .void: find(operation.id).map { isNothingHeld(at: $0) } ?? false
            case .capture, .refund, .reverse: false
            }
        return isGivenUp ? .notSent(reason: reason) : .unknown(reason: "not sent: " + reason)
    }

    private func isNothingHeld(at place: Place) -> Bool {
        let attempt = attempt(at: place)
        return attempt.isApproved && !attempt.isApprovedInPart && attempt.held == 0
    }

    /// A refusal because it is so already is a success; one because it does not exist means that nothing was done.
    ///
    /// A payment that the PSP authorized, or that something was done to, exists there: what it does not show yet is doubt, not a
    /// refusal.
    /// What the PSP had said it works on, and then has no trace of, came to nothing there.
    private func stateIfRejected(
        _ operation: Operation,
        _ told: Rejection,
        severalCaptures: Bool
    ) -> OperationState {
        let rejection = told.kept
        return switch (operation.kind, rejection.reason) {
        case (.capture, .alreadyCaptured): stateIfCaptured(operation, told, severalCaptures: severalCaptures)
        case (.void, .alreadyVoided), (.void, .expired), (.reverse, .alreadyVoided): .succeeded
        case (.authorize, .notFound) where find(operation.id).map(isActedOn) ?? false:
            .unknown(reason: "the PSP has no trace of it")
        case (.authorize, .notFound): .notSent(reason: "the PSP has no trace of it")
        case (_, .notFound) where operation.state.isWorkedOn: .rejected(rejection)
        case (_, .notFound) where operation.state != .open || isAuthorized(operation):
            .unknown(reason: "the PSP has no trace of it")
        default: .rejected(rejection)
        }
    }

    /// "Captured already" is about this capture, another one, or one of several of which nobody knows yet.
    private func stateIfCaptured(
        _ operation: Operation,
        _ told: Rejection,
        severalCaptures: Bool
    ) -> OperationState {
        guard operation.state != .succeeded, let place = find(operation.id) else { return .succeeded }
        let attempt = attempt(at: place)
        let beyond = attempt.beyondKnown(told.captured)
        if beyond > 0 || told.captured == nil, isEarlierOneOpen(operation, in: attempt) {
            return .unknown(reason: "an earlier capture may be what is captured")
        }
        let isAnothers =
            isCapturedOtherwise(operation, beyond, of: told.captured, in: attempt)
            || refusedCapture(before: operation) != nil
            || isOthersCapture(operation, beyond, of: told.captured, in: attempt)
            || isOthersPart(operation, beyond, in: attempt, severalCaptures: severalCaptures)
            // What was sent once cannot speak of itself, where one failed after all.
            || (operation.isOnlySending && attempt.hasReversedCapture)
        return isAnothers ? .rejected(told.kept) : .succeeded
    }

    private func isAuthorized(_ operation: Operation) -> Bool {
        operation.kind != .authorize
            && find(operation.id).map { attempt(at: $0).authorization.state == .succeeded } == true
    }

    /// Whether what is captured, beyond what is known if the PSP tells how much, may be an earlier capture's, of which nobody
    /// knows yet.
    private func isEarlierOneOpen(_ operation: Operation, in attempt: Attempt) -> Bool {
        let earlier = attempt.operations.prefix { $0.id != operation.id }
        return earlier.contains { $0.kind == .capture && $0.isOpen && $0.wasSent }
    }

    /// Whether "captured already" is about another capture that we know of.
    ///
    /// It is not where the PSP tells, beyond what is known, just the amount that we asked for. If it tells no more than is known,
    /// or this one was sent only once, it is, though nobody named that: unless an approval told of it since this one began, which
    /// may speak of this one. One that was heard of since, and failed after all, stood in the way before.
    private func isCapturedOtherwise(
        _ operation: Operation,
        _ beyond: Int64,
        of told: Int64?,
        in attempt: Attempt
    ) -> Bool {
        guard beyond != operation.amount else { return false }
        let isAllKnown = beyond == 0 && told ?? 0 > 0
        let begun = attempt.operations.firstIndex { $0.id == operation.id } ?? 0
        return attempt.operations.enumerated().contains { index, other in
            guard other.kind == .capture, other.id != operation.id else { return false }
            guard other.state == .succeeded else {
                return other.isOthersReversedCapture && other.createdAt >= operation.createdAt
            }
            return other.origin != .psp || other.reference != nil
                || (index < begun && (isAllKnown || isOthersAlone(other, beside: operation, in: attempt)))
        }
    }

    /// Whether a capture that was known before must be the one that an operation was refused for.
    ///
    /// That was sent once, so it cannot have been captured before. A capture that only a refund implies is none: nobody told how
    /// much it took.
    private func isOthersAlone(_ other: Operation, beside operation: Operation, in attempt: Attempt) -> Bool {
        operation.isOnlySending && !other.isImplied(after: attempt.authorization)
    }

    /// Whether "captured already" is about a capture that was not ours.
    ///
    /// So it is if the PSP tells another amount than we asked for, or less in all. What was sent once cannot speak of itself, and
    /// of an amount that is not told, all was most likely captured.
    private func isOthersCapture(
        _ operation: Operation,
        _ beyond: Int64,
        of told: Int64?,
        in attempt: Attempt
    ) -> Bool {
        if beyond > 0, beyond != operation.amount { return true }
        if let told, told > 0, told < operation.amount { return true }
        return operation.isOnlySending && attempt.captured == 0 && operation.amount < attempt.held
    }

    /// Whether "captured already" is about a capture of a part, of which a void that was told had left nothing else.
    ///
    /// Where several captures are possible, such a void left what was captured, and found something to release. What was sent
    /// once cannot speak of itself there either.
    private func isOthersPart(
        _ operation: Operation,
        _ beyond: Int64,
        in attempt: Attempt,
        severalCaptures: Bool
    ) -> Bool {
        let isVoided = attempt.operations.contains(where: \.isToldVoid)
        guard isVoided, beyond == 0, attempt.captureKnown == 0 else { return false }
        return operation.isOnlySending || (severalCaptures && operation.amount >= attempt.authorized)
    }

    /// Old news fills gaps only, so that a late report cannot bring back an old version of the PSP's state.
    private mutating func recordReferences(_ outcome: Outcome, at place: Place, overwriting: Bool) {
        let (reference, state): (String?, String?) =
            switch outcome {
            case .succeeded(let success): (success.reference, success.state)
            case .pending(let progress), .actionRequired(_, let progress): (progress.reference, progress.state)
            case .rejected(let rejection): (rejection.object, nil)
            case .declined, .notSent, .unknown: (nil, nil)
            }
        guard reference != nil || state != nil else { return }
        func kept(_ known: String?, _ heard: String?) -> String? { overwriting ? heard ?? known : known ?? heard }
        let isAuthorization = self[place].kind == .authorize
        self[place].reference = kept(self[place].reference, reference)
        changeAttempt(at: place) {
            if isAuthorization { $0.pspReference = kept($0.pspReference, reference) }
            $0.pspState = kept($0.pspState, state)
        }
    }

    /// When the operation wants to be taken in hand again, after what it was before.
    ///
    /// What is heard elsewhere of an open operation does not end the lease of the instance that has it in hand.
    private mutating func scheduleNextTry(behind before: Operation, _ report: Report, at place: Place) {
        // Nobody has to find out any more whether the PSP has it.
        if self[place].state.isWorkedOn {
            order.attention.removeAll { $0.operation == before.id && $0.reason == .unknownOutcome }
        }
        if let holder = self[place].leasedBy, holder != instance, self[place].isOpen { return }
        self[place].leasedBy = nil
        switch self[place].state {
        case .open, .unknown:
            self[place].doubts += 1
            self[place].dueAt = now.adding(milliseconds: rules.pause(afterDoubts: self[place].doubts))
            raiseDoubt(at: place)
        case .pending, .actionRequired:
            // What was doubted before the PSP had it says nothing of what comes.
            self[place].doubts = 0
            let age = now.milliseconds(since: before.createdAt)
            let pause = rules.pollPause(report.timings.pollMilliseconds, afterMilliseconds: age)
            self[place].dueAt = now.adding(milliseconds: pause)
            if isBuyersTurn(at: place) {
                // The PSP waits for the buyer, not we for the PSP; the step has an end of its own.
                order.attention.removeAll { $0.operation == before.id && $0.reason == .overdue }
            } else if now.milliseconds(since: before.createdAt) >= report.timings.expectedWithinMilliseconds {
                raise(.overdue, before, at: place, amountAtRisk: before.amount)
            }
        case .notSent, .declined, .rejected, .succeeded, .reversed:
            // What a search is to find beside it, it may still find.
            if !before.awaitsSearch { self[place].dueAt = nil }
        }
    }

    /// Whether the operation waits for a step of the buyer's that may still be taken.
    private func isBuyersTurn(at place: Place) -> Bool {
        guard case .actionRequired(let action) = self[place].state else { return false }
        return action.expiresAt.map { now < $0 } ?? true
    }

    mutating func emitTransition(from before: OperationState, to next: OperationState, at place: Place) {
        guard before.name != next.name else { return }
        let operation = self[place]
        var details: [OrderEvent.Detail] = [.init("amount", .integer(operation.amount))]
        switch next {
        case .declined(let decline):
            details += [.init("category", .text(decline.category.rawValue)), .init("code", .text(decline.code))]
        case .rejected(let rejection), .reversed(let rejection):
            details += [.init("reason", .text(rejection.reason.rawValue)), .init("code", .text(rejection.code))]
        case .unknown(let reason), .notSent(let reason):
            details.append(.init("reason", .text(reason)))
            if let due = operation.dueAt { details.append(.init("next_try_at", .text(due.description))) }
        case .succeeded:
            details.append(.init("done_amount", .integer(operation.doneAmount)))
            if let reference = operation.reference { details.append(.init("psp_reference", .text(reference))) }
        case .open, .pending, .actionRequired: break
        }
        if let refund = operation.refund { details.append(.init("refund", .text(refund.text))) }
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
        case (.capture, .declined), (.capture, .rejected), (.capture, .reversed): "capture_failed"
        case (.refund, .reversed), (.reverse, .reversed): "refund_failed"
        default: kind.rawValue + "_" + state.name
        }
    }
}
