extension OrderMachine {
    /// Hears what a PSP says on its own.
    ///
    /// Notices may come twice, in any order, before the answer to our own request, and about what we did not start.
    ///
    /// - Parameters:
    ///   - notice: what the PSP says.
    ///   - timings: how the adapter times what it works on; its operation is of no account.
    ///   - severalCaptures: whether a capture that we did not start may leave the rest of the hold.
    ///   - tellsOutcomes: whether the PSP tells what became of an operation, when it is asked or sent the same again.
    ///   - keepsCommission: whether a refund that we did not start leaves the marketplace its commission.
    ///   - receivedAt: when it came, by the marketplace's clock: a refusal is about nothing that was sent later. Nil for now.
    /// - Returns: whether it could be matched. If not, it is about another order, or about something of which we have
    /// to hear first; telling it again later does no harm.
    package mutating func hear(
        _ notice: Notice,
        timings: ReportTimings = ReportTimings(),
        severalCaptures: Bool = false,
        tellsOutcomes: Bool = false,
        keepsCommission: Bool = false,
        receivedAt: Timestamp? = nil
    ) -> Bool {
        guard let place = attempt(of: notice.subject) else { return false }
        let (before, authorization) = (order.status, attempt(at: place).authorization)
        changeAttempt(at: place) { $0.pspReference = $0.pspReference ?? notice.subject.payment }
        let context = NoticeContext(
            timings: timings,
            severalCaptures: severalCaptures,
            tellsOutcomes: tellsOutcomes,
            keepsCommission: keepsCommission,
            happenedBy: [receivedAt, notice.at.map(order.clock.time)].compactMap(\.self).min()
        )
        let isMatched =
            switch notice.happening {
            case .outcome(let action, let outcome): hear(outcome, of: action, notice.subject, context, at: place)
            case .reversed(let action, let rejection):
                hear(rejection, against: action, notice.subject, context, at: place)
            case .lapsed: hearOfLapse(at: notice.at, place)
            case .dispute(let dispute): hear(dispute, notice.subject, at: notice.at, place)
            }
        searchOnceOver(authorization, timings)
        if isMatched { decideAndFollowUp(from: before) }
        return isMatched
    }

    private mutating func hear(
        _ outcome: Outcome,
        of action: Notice.Action,
        _ subject: Notice.Subject,
        _ context: NoticeContext,
        at place: Place
    ) -> Bool {
        if action == .void, case .succeeded = outcome, let said = subject.payment, attempt(at: place).isApproved,
            said != attempt(at: place).pspReference
        {
            return hearOfVoidedRefund(said, subject, context.timings, at: place)
        }
        let outcome = outcome.named(subject.object, for: action)
        switch match(action, subject, outcome, context, at: place) {
        case .operation(let found): return hear(outcome, of: found, subject, context, at: place)
        case .conclusion(let found):
            if case .succeeded(let success) = outcome { conclude(success, context, at: found) }
        case .another(let found):
            guard case .succeeded(let success) = outcome else { return true }
            addDuplicate(of: self[found], success, isFinal: isLast(success, context, at: place), at: place)
        // Another authorization under our reference is none of the first one's news.
        case .anotherPayment, .later: return false
        case .nothing:
            return hearOfOwn(action, outcome, subject, context, at: place)
        }
        return true
    }

    /// A void of another transaction than the payment's is one of a refund that had not settled, which failed so.
    private mutating func hearOfVoidedRefund(
        _ name: String,
        _ subject: Notice.Subject,
        _ timings: ReportTimings,
        at place: Place
    ) -> Bool {
        let refund = attempt(at: place).all(.refund).first { $0.reference == name && $0.state.hasSucceeded }
        guard let refund, let found = find(refund.id) else { return false }
        let voided = Rejection(.unsupported, code: "voided", message: "The refund was voided before it settled.")
        return fail(found, voided, subject, timings)
    }

    /// What is said of an operation that was found.
    private mutating func hear(
        _ outcome: Outcome,
        of found: Place,
        _ subject: Notice.Subject,
        _ context: NoticeContext,
        at place: Place
    ) -> Bool {
        let operation = self[found]
        if operation.kind == .authorize, case .succeeded(let success) = outcome, !captureIsTold(success, at: place) {
            return false
        }
        if operation.origin == .psp, let rejection = outcome.failure {
            if case .reversed = operation.state { return true }
            if operation.id == concluded(at: place)?.id { return fail(found, rejection, subject, context.timings) }
        }
        if context.leavesOpen(operation, outcome) { return askNow(at: found) }
        apply(context.report(of: operation.id, outcome), saidBy: .psp, at: found)
        raiseRefusedRefund(operation, at: found)
        guard case .succeeded(let success) = outcome else { return true }
        let isNamed =
            subject.operation == operation.id.text
            || (success.reference != nil && success.reference == self[found].reference)
        if isNamed { correctEntry(success, at: found) }
        hearMore(success.amount, isNamed: isNamed, at: found)
        return true
    }

    /// Has a PSP asked at once what became of what it said only a part of.
    private mutating func askNow(at place: Place) -> Bool {
        if self[place].leasedBy == nil { self[place].dueAt = now }
        return true
    }

    /// Tells a person of a refund that was asked for and is refused although its answer had said nothing of that: whoever asked
    /// does not wait for it any more.
    ///
    /// Not of one that is tried again.
    mutating func raiseRefusedRefund(_ before: Operation, at place: Place) {
        let operation = self[place]
        guard operation.givesBack, let refund = operation.refund, operation.leases > 0, before.isOpen,
            operation.state.isRefusal
        else { return }
        let isTriedAgain = next(of: refund, in: attempt(at: place), of: order.payments[place.payment]) != nil
        guard !isTriedAgain else { return }
        raise(.refundFailed, operation, at: place, amountAtRisk: operation.amount)
    }

    /// What is said of nothing that we asked for.
    private mutating func hearOfOwn(
        _ action: Notice.Action,
        _ outcome: Outcome,
        _ subject: Notice.Subject,
        _ context: NoticeContext,
        at place: Place
    ) -> Bool {
        let attempt = attempt(at: place)
        if action == .capture || action == .refund, let rejection = outcome.failure {
            if action == .capture, let capture = refusedConclusion(context, at: place), let found = find(capture.id) {
                return fail(found, rejection, subject, context.timings)
            }
            // What it names may have been done before it failed, and be told of later; and so may the approval that took the
            // amount in the same call.
            guard subject.object == nil || PlantedBug.refusalForgotten.isPlanted else { return false }
            return action == .refund || attempt.authorization.state.isDefinite || attempt.isApproved
        }
        guard case .succeeded(let success) = outcome, let kind = action.ownKind else { return true }
        guard kind != .void else {
            addVoid(success, subject, severalCaptures: context.severalCaptures, at: place)
            return true
        }
        let amount = Self.bounded(success.amount)
        let isFinal = isLast(success, context, at: place)
        // A part of what was implied is another operation: lines of the PSP's may have confirmed all of it together.
        if kind == .capture, let implied = attempt.impliedCapture, let found = find(implied.id),
            success.reference != nil, amount > 0, amount >= implied.doneAmount
        {
            name(success, isFinal: isFinal, at: found)
            return true
        }
        addPSPOperation(
            kind,
            amount: amount,
            stated: success.amount,
            reference: success.reference,
            commission: context.keepsCommission && kind == .refund ? 0 : nil,
            isFinal: isFinal,
            at: place
        )
        return true
    }

    /// Whether a capture that we did not start leaves nothing of the hold: the PSP says so, or takes one capture only, or it took
    /// all.
    private func isLast(_ success: Success, _ context: NoticeContext, at place: Place) -> Bool {
        let isToldLast = PlantedBug.lastCaptureUnheard.isPlanted ? nil : success.isFinal
        return (isToldLast ?? !context.severalCaptures) || success.amount >= attempt(at: place).authorization.amount
    }

    /// The capture that only an approval told of, if the refusal of a capture may be about it: it was known when that came,
    /// or the approval was not.
    private func refusedConclusion(_ context: NoticeContext, at place: Place) -> Operation? {
        guard let capture = concluded(at: place), !attempt(at: place).isToldByVoid(capture) else { return nil }
        let approvedAt = attempt(at: place).authorization.succeededAt
        let isApprovedSince = context.happenedBy.map { approvedAt ?? .endOfTime > $0 } ?? false
        return context.mayRefuse(capture) || isApprovedSince ? capture : nil
    }

    /// The capture that nobody told of under a name, but an approval, if it is the only one.
    private func concluded(at place: Place) -> Operation? {
        let attempt = attempt(at: place)
        let captures = attempt.all(.capture).filter { $0.state == .succeeded && $0.doneAmount > 0 }
        guard let only = captures.first, captures.count == 1, only.origin == .psp, only.reference == nil,
            !only.isImplied(after: attempt.authorization)
        else { return nil }
        return only
    }

    /// Whether what an approval says is captured is not what a capture of ours on its way may have taken.
    ///
    /// One of which only doubt is known, and which took just that, is settled by it.
    private mutating func captureIsTold(_ success: Success, at place: Place) -> Bool {
        let attempt = attempt(at: place)
        let more = attempt.beyondKnown(success.capturedAmount)
        let open = attempt.openOperations.filter { $0.kind == .capture && $0.leases > 0 }
        guard more > 0, !open.isEmpty else { return true }
        let doubts = open.filter { !$0.isInFlight && !$0.state.isWorkedOn }
        guard let doubt = doubts.first(where: { $0.amount == more }), let found = find(doubt.id) else { return false }
        let taken = Success(reference: doubt.reference, amount: more, capturedAmount: more)
        apply(Report(operation: doubt.id, outcome: .succeeded(taken)), saidBy: .psp, at: found)
        return true
    }

    /// The PSP names what we had concluded from an answer, or from a refusal.
    ///
    /// A capture of less than that is somebody else's. If all was thought to be gone with it, and it is not told to have released
    /// the rest, something else did.
    private mutating func conclude(_ success: Success, _ context: NoticeContext, at place: Place) {
        let operation = self[place]
        if operation.isSumOfOthers, success.amount < operation.doneAmount {
            return divide(success, isFinal: isLast(success, context, at: place), at: place)
        }
        let isPart = operation.kind == .capture && operation.isFinal && success.amount < operation.amount
        let isFinal = isPart ? isLast(success, context, at: place) : success.isFinal
        name(success, isFinal: isFinal, at: place)
        if operation.kind == .void { hearCaptured(success, severalCaptures: context.severalCaptures, at: place) }
        guard operation.kind == .capture else { return }
        correctReversal(at: place)
        if isPart, isFinal == false { addPSPOperation(.void, amount: attempt(at: place).held, at: place) }
    }

    /// The PSP names what we had concluded from an answer: its amount takes the place of the one we assumed.
    mutating func name(_ success: Success, isFinal: Bool? = nil, at place: Place) {
        let prior = order.payments[place.payment]
        if let isFinal { self[place].isFinal = isFinal }
        self[place].reference = self[place].reference ?? success.reference
        if self[place].kind != .void { self[place].doneAmount = min(max(0, success.amount), self[place].amount) }
        recordFact(.succeeded(success), of: self[place], saidBy: .psp)
        changeAttempt(at: place) { $0.allocateReleases() }
        post(.correction, self[place].id, since: prior, at: place)
        hearMore(success.amount, at: place)
        followEffect(at: place)
        refreshAttention(at: place)
        clearRefusedCompensation(at: place)
    }

    private mutating func hear(
        _ rejection: Rejection,
        against action: Notice.Action,
        _ subject: Notice.Subject,
        _ context: NoticeContext,
        at place: Place
    ) -> Bool {
        guard let found = undone(action, subject, by: rejection, context, at: place) else {
            return isRefused(action, subject, at: place)
        }
        return fail(found, rejection, subject, context.timings)
    }

    /// Whether what is said to have failed was refused, which says the same.
    ///
    /// A PSP that captures a payment once, and calls the capture as the payment, may decline it as it settles: whoever asks
    /// after the sale, or after the capture, is told of a refusal, and of nothing that was captured. While a capture is in
    /// doubt its answer is waited for.
    private func isRefused(_ action: Notice.Action, _ subject: Notice.Subject, at place: Place) -> Bool {
        guard action == .capture, let payment = subject.payment, subject.object == payment else { return false }
        let attempt = attempt(at: place)
        guard attempt.isApproved else {
            if case .declined = attempt.authorization.state { return true }
            return false
        }
        let captures = attempt.all(.capture).filter { !$0.isWithdrawn }
        return !captures.isEmpty && captures.allSatisfy(\.state.isRefusal)
    }

    /// What had succeeded failed after all, with whatever else the PSP told under the same name.
    private mutating func fail(
        _ found: Place,
        _ rejection: Rejection,
        _ subject: Notice.Subject,
        _ timings: ReportTimings
    ) -> Bool {
        let kind = self[found].kind
        if kind != .authorize { self[found].reference = self[found].reference ?? subject.object }
        let name = self[found].reference
        let operations = attempt(at: found).operations
        let same = operations.indices.filter { index in
            let other = operations[index]
            let isSame = kind != .authorize && other.reference != nil && other.reference == name
            return index != found.operation && isSame && other.origin == .psp && other.state == .succeeded
                && other.kind != .authorize && (other.kind == .capture) == (kind == .capture)
                && (other.kind == .refund) == (kind == .refund)
        }
        for index in [found.operation] + same {
            let place = Place(payment: found.payment, attempt: found.attempt, operation: index)
            let operation = self[place]
            recordReversal(rejection, of: operation.id, subject.object, saidBy: .psp)
            let report = Report(operation: operation.id, outcome: .rejected(rejection), timings: timings)
            transition(.reversed(rejection), report, at: place)
        }
        return true
    }

    /// The hold ended by itself, perhaps earlier than we had been told.
    private mutating func hearOfLapse(at time: Timestamp?, _ place: Place) -> Bool {
        if PlantedBug.lapseUnheard.isPlanted { return true }
        let attempt = self.attempt(at: place)
        let lapse = min(time.map(order.clock.time) ?? now, now)
        changeAttempt(at: place) { $0.expiresAt = min(lapse, $0.expiresAt ?? .endOfTime) }
        guard !attempt.operations.contains(where: { $0.kind == .void && $0.origin == .psp }) else { return true }
        addPSPOperation(.void, amount: attempt.authorization.amount, at: place)
        return true
    }

    /// No PSP acts on more than this; sums of such amounts do not overflow.
    static func bounded(_ amount: Int64) -> Int64 { min(max(0, amount), 1 << 50) }
}

extension Outcome {
    /// What was captured ever, as the PSP says while it refuses.
    var toldCaptured: Int64? { if case .rejected(let rejection) = self { rejection.captured } else { nil } }

    /// Why it came to nothing, unless because it had been done already.
    var failure: Rejection? {
        switch self {
        case .rejected(let rejection): rejection.reason == .alreadyCaptured ? nil : rejection
        case .declined(let decline): Rejection(.unsupported, code: decline.code, message: decline.message)
        case .succeeded, .pending, .actionRequired, .notSent, .unknown: nil
        }
    }

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
