extension OrderMachine {
    /// Keeps what a success says of the operation itself.
    ///
    /// - Parameters:
    ///   - success: what the PSP says it did.
    ///   - report: the report it came with.
    ///   - before: what was known before.
    ///   - place: the operation, which is already marked as succeeded.
    mutating func succeed(_ success: Success, _ report: Report, after before: OperationState, at place: Place) {
        let operation = self[place]
        let amount = max(0, success.amount)
        let isLess = amount < operation.amount && (operation.kind == .capture || operation.kind == .refund)
        if amount > operation.amount || isLess {
            raise(.amountMismatch, operation, at: place, amountAtRisk: abs(amount - operation.amount))
        }
        switch operation.kind {
        case .authorize, .capture, .refund:
            let told = min(amount, operation.amount)
            self[place].doneAmount = PlantedBug.amountAsAsked.isPlanted ? operation.amount : told
        case .reverse: self[place].doneAmount = operation.amount
        case .void: self[place].doneAmount = 0
        }
        switch operation.kind {
        case .authorize:
            // Heard of late, it lives no longer: from when it can have been sent at the earliest. What the PSP worked on, the buyer
            // had to finish, or was sent once more, was held later than that, and no later than what tells of it says.
            let asked = requestedAt(at: place)
            let isMadeLater = before.isWorkedOn || operation.origin == .psp
            let heldBy = isMadeLater ? max(asked, min(report.happenedBy ?? now, now)) : asked
            let begin = PlantedBug.lapseFromHearing.isPlanted ? now : heldBy
            let lapse = begin.adding(milliseconds: report.timings.authorizationLifeMilliseconds)
            let told = success.expiresAt.map(order.clock.time)
            changeAttempt(at: place) {
                $0.network = success.network ?? $0.network
                $0.last4 = success.last4 ?? $0.last4
                $0.expiresAt = min(told ?? lapse, $0.expiresAt ?? .endOfTime)
            }
        case .void: closeUnfinishedAuthorization(at: place)
        case .capture, .refund, .reverse: break
        }
        changeAttempt(at: place) { $0.allocateReleases() }
    }

    /// When an authorization can have been sent at the earliest: a second one with the first.
    private func requestedAt(at place: Place) -> Timestamp {
        let payment = order.payments[place.payment]
        let name = payment.nameAtPSP(of: payment.attempts[place.attempt])
        return payment.attempts.first { $0.id == name }?.authorization.realStart ?? self[place].realStart
    }

    /// What had succeeded failed after all: it counts as never done, and that it had been refused is no contradiction any more.
    mutating func reverse(at place: Place) {
        self[place].doneAmount = 0
        let operation = self[place]
        order.attention.removeAll { $0.operation == operation.id && $0.reason == .successAfterRefusal }
        switch operation.kind {
        case .capture: raise(.captureFailed, operation, at: place, amountAtRisk: operation.amount)
        case .authorize, .void: raise(.outcomeReversed, operation, at: place, amountAtRisk: operation.amount)
        case .refund, .reverse: break
        }
        changeAttempt(at: place) { $0.allocateReleases() }
    }

    /// Keeps what a refusal teaches: that the PSP captured, or let go of, the authorization on its own.
    ///
    /// - Parameters:
    ///   - state: the operation's state as it was refused.
    ///   - report: the refusal.
    ///   - place: the operation.
    mutating func inferFromRefusal(_ state: OperationState, _ report: Report, at place: Place) {
        let (operation, attempt) = (self[place], attempt(at: place))
        let reason: Rejection.Reason?
        switch state {
        case .rejected(let rejection): reason = rejection.reason
        case .declined: reason = nil
        case .open, .unknown, .pending, .actionRequired, .notSent, .succeeded, .reversed: return
        }
        let told = attempt.beyondKnown(report.outcome.toldCaptured)
        switch (operation.kind, reason) {
        case (.void, .alreadyCaptured)
        where attempt.isApproved && (told > 0 || attempt.captured > 0 || !attempt.hasReversedCapture):
            // What the PSP tells beyond what is known is taken. Else, if a capture that is known explains it, the rest of the
            // hold is gone; and if none does, it was most likely one of ours that was said to be refused, or all of it; so
            // it was where a refund is all that tells of a capture.
            let isImplied = attempt.captureKnown == 0 && attempt.impliedCapture != nil
            let refused =
                attempt.captured > 0
                ? nil : attempt.operations.last { $0.kind == .capture && $0.state.isRefusal }
            if told > 0 {
                addOthersCapture(of: told, severalCaptures: report.severalCaptures, at: place)
            } else if attempt.captured > 0, !isImplied {
                addPSPOperation(.void, amount: attempt.held, at: place)
            } else {
                let amount = isImplied ? attempt.authorized : attempt.held
                addPSPOperation(.capture, amount: amount, done: refused?.amount, at: place)
            }
        case (.capture, .alreadyVoided), (.capture, .expired):
            // A part that somebody else captured stays captured.
            if told > 0, !attempt.mayBeTakingAll(of: told) {
                addOthersCapture(of: told, severalCaptures: report.severalCaptures, at: place)
            }
            addPSPOperation(.void, amount: self.attempt(at: place).held, at: place)
        case (.capture, .alreadyCaptured)
        where told == 0 && !attempt.hasReversedCapture && refusedCapture(before: operation) != nil:
            addPSPOperation(.capture, amount: attempt.held, done: refusedCapture(before: operation)?.amount, at: place)
        case (.capture, .alreadyCaptured)
        where told > 0 && (attempt.captured == 0 || !attempt.hasOpenCapture)
            || attempt.captured == 0 && !attempt.hasReversedCapture:
            // Somebody else's: of an amount that is not told, most likely all of it.
            let amount = told > 0 ? told : attempt.held
            if amount != operation.amount {
                raise(.amountMismatch, operation, at: place, amountAtRisk: abs(amount - operation.amount))
            }
            addOthersCapture(of: amount, severalCaptures: report.severalCaptures, at: place)
        case (.capture, .alreadyCaptured) where attempt.captured > 0 && attempt.held > 0 && !attempt.hasOpenCapture:
            // The capture that is known was the PSP's last: it let go of the rest.
            addPSPOperation(.void, amount: attempt.held, at: place)
        case (.authorize, _), (.capture, _), (.refund, .notSettledYet):
            break
        case (.void, _), (.refund, _), (.reverse, _):
            guard operation.refund == nil else { return }
            let atRisk =
                attempt.isApproved
                ? attempt.held + order.payments[place.payment].refundable(of: attempt) : operation.amount
            guard atRisk > 0 else { return }
            raise(.compensationRefused, operation, at: place, amountAtRisk: atRisk)
        }
    }

    /// Keeps a capture of somebody else's behind which nothing is held.
    ///
    /// Where several are possible, that of a part need not have let go of the rest.
    private mutating func addOthersCapture(of amount: Int64, severalCaptures: Bool, at place: Place) {
        let attempt = attempt(at: place)
        let isFinal = !severalCaptures || attempt.captureKnown + amount >= attempt.authorized
        addPSPOperation(.capture, amount: amount, isFinal: isFinal, at: place)
        addPSPOperation(.void, amount: self.attempt(at: place).held, at: place)
    }

    /// The capture that "captured already" speaks of when nothing is known to be captured: the latest one that the PSP had
    /// refused.
    ///
    /// The PSP's word that it succeeded after all may still come, and then says how much.
    func refusedCapture(before operation: Operation) -> Operation? {
        guard let place = find(operation.id) else { return nil }
        let attempt = attempt(at: place)
        guard attempt.captured == 0 else { return nil }
        return attempt.operations.last { $0.kind == .capture && $0.id != operation.id && $0.state.isRefusal }
    }

    /// An authorization in doubt that is released, when we had asked for that, had been approved.
    mutating func approveWhatIsReleased(at place: Place) {
        let attempt = attempt(at: place)
        let authorization = attempt.authorization
        guard case .unknown = authorization.state, attempt.all(.void).contains(where: { $0.origin == .gateway }),
            let approved = find(authorization.id)
        else { return }
        let success = Success(reference: nil, amount: authorization.amount)
        recordFact(.succeeded(success), of: authorization, saidBy: .gateway)
        transition(.succeeded, Report(operation: authorization.id, outcome: .succeeded(success)), at: approved)
    }

    /// A release of what was in doubt, of which the PSP has not told yet, came to nothing if there was no approval.
    mutating func closeNeedlessVoids(at place: Place) {
        let attempt = attempt(at: place)
        guard self[place].kind == .authorize, self[place].state.isRefusal, attempt.authorized == 0 else { return }
        let nothing = Rejection(.notFound, code: "nothing_held", message: "Nothing was held that could be released.")
        for void in attempt.openOperations where void.kind == .void && void.state.isWorkedOn {
            guard let closed = find(void.id) else { continue }
            recordFact(.rejected(nothing), of: void, saidBy: .gateway)
            self[closed].state = .rejected(nothing)
            self[closed].dueAt = nil
            self[closed].leasedBy = nil
            clearAttention(of: void.id)
            emitTransition(from: void.state, to: self[closed].state, at: closed)
        }
    }

    /// A void of what the buyer never finished ends the authorization.
    mutating func closeUnfinishedAuthorization(at place: Place) {
        let authorization = attempt(at: place).authorization
        guard authorization.isOpen, let closed = find(authorization.id) else { return }
        recordFact(.declined(.calledOff), of: authorization, saidBy: .gateway)
        self[closed].state = .declined(.calledOff)
        self[closed].dueAt = nil
        self[closed].leasedBy = nil
        clearAttention(of: authorization.id)
        emitTransition(from: authorization.state, to: self[closed].state, at: closed)
    }
}

extension Attempt {
    /// Gives what voids released to one of them: the first that is heard of and released anything.
    ///
    /// A void leaves nothing for another one, and what was posted as its release stays so, whatever becomes known
    /// since. What a final capture leaves is released with it.
    mutating func allocateReleases() {
        let voids = operations.indices.filter { operations[$0].kind == .void && operations[$0].state == .succeeded }
        guard let first = voids.first, voids.allSatisfy({ operations[$0].doneAmount == 0 }), !isFinallyCaptured else {
            return
        }
        operations[first].doneAmount = min(released, operations[first].amount)
    }

    /// Whether a capture released what it left.
    var isFinallyCaptured: Bool {
        operations.contains { $0.kind == .capture && $0.isFinal && $0.state == .succeeded && $0.doneAmount > 0 }
    }
}
