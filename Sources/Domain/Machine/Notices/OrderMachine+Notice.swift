extension OrderMachine {
    /// Hears what a PSP says on its own.
    ///
    /// Notices may come twice, in any order, before the answer to our own request, and about what we did not start.
    ///
    /// - Parameters:
    ///   - notice: what the PSP says.
    ///   - timings: how the adapter times what it works on; its operation is of no account.
    ///   - severalCaptures: whether a capture that we did not start may leave the rest of the hold.
    /// - Returns: whether it could be matched. If not, it is about another order, or about something of which we have
    /// to hear first; telling it again later does no harm.
    package mutating func hear(
        _ notice: Notice,
        timings: ReportTimings = ReportTimings(),
        severalCaptures: Bool = false
    ) -> Bool {
        guard let place = attempt(of: notice.subject) else { return false }
        let before = order.status
        changeAttempt(at: place) { $0.pspReference = $0.pspReference ?? notice.subject.payment }
        let isMatched =
            switch notice.happening {
            case .outcome(let action, let outcome):
                hear(outcome, of: action, notice.subject, timings, severalCaptures: severalCaptures, at: place)
            case .reversed(let action, let rejection):
                hear(rejection, against: action, notice.subject, timings, at: place)
            case .lapsed: hearOfLapse(at: notice.at, place)
            case .dispute(let dispute): hear(dispute, notice.subject, at: notice.at, place)
            }
        if isMatched { settle(from: before) }
        return isMatched
    }

    private mutating func hear(
        _ outcome: Outcome,
        of action: Notice.Action,
        _ subject: Notice.Subject,
        _ timings: ReportTimings,
        severalCaptures: Bool,
        at place: Place
    ) -> Bool {
        let outcome = outcome.named(subject.object, for: action)
        switch match(action, subject, outcome, severalCaptures: severalCaptures, at: place) {
        case .operation(let found):
            absorb(timings.report(of: self[found].id, outcome), saidBy: .psp, at: found)
        case .conclusion(let found):
            if case .succeeded(let success) = outcome { name(success, at: found) }
        case .later: return false
        case .nothing:
            guard case .succeeded(let success) = outcome, let kind = action.ownKind else { return true }
            addPSPOperation(
                kind,
                amount: kind == .void ? attempt(at: place).authorization.amount : Self.bounded(success.amount),
                stated: success.amount,
                reference: subject.object ?? success.reference,
                isFinal: !severalCaptures,
                at: place
            )
        }
        return true
    }

    /// The PSP names what we had concluded from an answer: its amount takes the place of the one we assumed.
    private mutating func name(_ success: Success, at place: Place) {
        let prior = order.payments[place.payment]
        self[place].reference = self[place].reference ?? success.reference
        if self[place].kind != .void { self[place].doneAmount = min(max(0, success.amount), self[place].amount) }
        note(.succeeded(success), of: self[place], saidBy: .psp)
        changeAttempt(at: place) { $0.weighVoids() }
        post(.correction, self[place].id, since: prior, at: place)
        review(at: place)
    }

    private mutating func hear(
        _ rejection: Rejection,
        against action: Notice.Action,
        _ subject: Notice.Subject,
        _ timings: ReportTimings,
        at place: Place
    ) -> Bool {
        guard let found = undone(action, subject, at: place) else { return false }
        let operation = self[found]
        record.facts.append(
            Fact(
                operation: operation.id,
                kind: OperationState.reversed(rejection).name,
                reference: subject.object ?? "",
                origin: .psp,
                amount: nil,
                code: rejection.code,
                at: now
            )
        )
        fold(.reversed(rejection), timings.report(of: operation.id, .rejected(rejection)), at: found)
        return true
    }

    /// The hold ended by itself, perhaps earlier than we had been told.
    private mutating func hearOfLapse(at time: Timestamp?, _ place: Place) -> Bool {
        let attempt = self.attempt(at: place)
        let lapse = min(time ?? now, now)
        changeAttempt(at: place) { $0.expiresAt = min(lapse, $0.expiresAt ?? .endOfTime) }
        guard !attempt.operations.contains(where: { $0.kind == .void && $0.origin == .psp }) else { return true }
        addPSPOperation(.void, amount: attempt.authorization.amount, at: place)
        return true
    }

    /// No PSP acts on more than this; sums of such amounts do not overflow.
    static func bounded(_ amount: Int64) -> Int64 { min(max(0, amount), 1 << 50) }
}

extension Outcome {
    /// The outcome with the PSP's name for the object, where it says which and the outcome does not.
    fileprivate func named(_ object: String?, for action: Notice.Action) -> Outcome {
        guard action != .authorize else { return self }
        switch self {
        case .succeeded(var success):
            success.reference = object ?? success.reference
            return .succeeded(success)
        case .pending(var progress):
            progress.reference = object ?? progress.reference
            return .pending(progress)
        case .actionRequired, .declined, .rejected, .notSent, .unknown: return self
        }
    }
}

extension Notice.Action {
    /// What an action is that we did not ask for; nil for an authorization, which only we ask for.
    var ownKind: Operation.Kind? {
        switch self {
        case .authorize: nil
        case .capture: .capture
        case .void: .void
        case .refund: .refund
        }
    }
}
