extension OrderMachine {
    /// Starts what the decision wants and nobody has started: captures, voids, refunds.
    ///
    /// One at a time per attempt.
    mutating func startPlannedOperations() {
        for payment in order.payments {
            for attempt in payment.attempts
            where attempt.openOperations.isEmpty
                || (PlantedBug.voidBesideCapture.isPlanted && attempt.openOperations.allSatisfy { $0.kind == .capture })
            {
                if let plan = plannedOperation(of: attempt, in: payment) { pursue(plan, in: attempt, of: payment) }
            }
        }
    }

    /// Takes back captures that wait to be sent, and of which nothing has left, once the order does not want them any more: they
    /// would only be refunded.
    ///
    /// - Parameter isDeferred: whether only what the decision leaves out counts as unwanted, as in a step that follows up later.
    mutating func withdrawUnwantedCaptures(isDeferred: Bool) {
        for payment in order.payments where goal(of: payment) == .release && !(isDeferred && order.counts(payment)) {
            for capture in payment.attempts.flatMap({ $0.all(.capture) })
            where capture.isOpen && capture.origin == .gateway && !capture.wasSent {
                withdraw(unsent: capture, because: Operation.unwanted)
                if let place = find(capture.id) { refreshAttention(at: place) }
            }
        }
    }

    /// Starts what has to be under way after every step: the release, or the return, of what the decision does not want
    /// whatever is heard next.
    mutating func startUnwantedReleases() {
        for payment in order.payments {
            for attempt in payment.attempts where attempt.openOperations.isEmpty {
                let isCurrent = attempt.id == payment.attempt.id
                guard !order.counts(payment) || !isCurrent || attempt.isPartialApproval else { continue }
                if let plan = plannedOperation(of: attempt, in: payment) { pursue(plan, in: attempt, of: payment) }
            }
        }
    }

    /// Releases what may be held of an authorization in doubt that nobody wants any more.
    ///
    /// Until the PSP has had its say: if it refuses, only its own word or a person can tell. What it refuses because we
    /// asked wrongly is asked again after a pause.
    mutating func undoDoubt(at place: Place) {
        let (payment, attempt) = (order.payments[place.payment], attempt(at: place))
        guard case .unknown = attempt.authorization.state, attempt.captured == 0, attempt.openOperations.isEmpty,
            attempt.all(.void).allSatisfy(\.isRefusedAsMistaken),
            attempt.id != payment.attempt.id || goal(of: payment) == .release
        else { return }
        pursue(PlannedOperation(kind: .void, amount: attempt.authorization.amount), in: attempt, of: payment)
    }

    enum Goal {
        case keep
        case capture
        case release
    }

    func goal(of payment: Payment) -> Goal {
        guard payment.canceledAt == nil else { return .release }
        return switch order.decision.state {
        case .pending: PlantedBug.captureUndecided.isPlanted ? .capture : .keep
        case .refused, .canceled: PlantedBug.holdKeptUnwanted.isPlanted ? .keep : .release
        case .cleared: counted(payment)
        case .accepted: isCompensating ? .release : counted(payment)
        }
    }

    private func counted(_ payment: Payment) -> Goal {
        guard order.decision.countsOn.contains(payment.id) else { return .release }
        return order.terms.capture == .automatic ? .capture : .keep
    }

    /// Whether a capture that failed after acceptance undoes the order's other payments.
    ///
    /// The attention item keeps it so if that capture turns out to have succeeded after all. What failed of a payment that the
    /// order does not count on undoes nothing.
    var isCompensating: Bool {
        guard order.terms.onCaptureFailure == .compensate, !PlantedBug.compensationIgnored.isPlanted else {
            return false
        }
        return order.payments.contains { payment in
            (order.counts(payment) && payment.state == .captureFailed)
                || (order.decision.countsOn.contains(payment.id) && isToldAsFailed(payment))
        }
    }

    /// Whether a person is told of a capture of a payment that failed, whatever was captured of it since, and before the
    /// payment was called off, if it was.
    func isToldAsFailed(_ payment: Payment) -> Bool {
        order.attention.contains { item in
            item.reason == .captureFailed && payment.canceledAt.map { item.since < $0 } ?? true
                && payment.attempt.operations.contains { $0.id == item.operation }
        }
    }

    func plannedOperation(of attempt: Attempt, in payment: Payment) -> PlannedOperation? {
        guard attempt.id == payment.attempt.id else { return undo(attempt, in: payment) }
        switch goal(of: payment) {
        case .release: return undo(attempt, in: payment)
        case .keep, .capture:
            let isTooLittle = attempt.isPartialApproval && attempt.held > 0
            if isTooLittle || hasLapsed(attempt) || attempt.keepsRestUnwanted { return release(attempt) }
            // What somebody else captured in part left the rest to be captured.
            let isUntouched = attempt.all(.capture).allSatisfy { capture in
                let isOthersPart = capture.origin != .gateway && capture.state == .succeeded && !capture.isFinal
                return isOthersPart || capture.isWithdrawn || capture.isTakenBack
                    || capture.isImplied(after: attempt.authorization)
            }
            guard goal(of: payment) == .capture, attempt.held > 0, isUntouched else { return nil }
            return PlannedOperation(kind: .capture, amount: attempt.held)
        }
    }

    /// What gives back whatever the attempt has: a void, else a refund; a cancel if the buyer never finished.
    ///
    /// A hold that the PSP releases by no try keeps nothing from being given back.
    func undo(_ attempt: Attempt, in payment: Payment) -> PlannedOperation? {
        let net = payment.refundable(of: attempt)
        let hold = attempt.held > 0 ? release(attempt) : nil
        if let hold, net == 0 || attempt.failures(of: hold) < rules.compensationTries { return hold }
        if net > 0 { return giveBack(net, of: attempt) }
        guard !attempt.isApproved, case .actionRequired = attempt.authorization.state else { return nil }
        return .cancel(attempt)
    }

    private func release(_ attempt: Attempt) -> PlannedOperation { PlannedOperation(kind: .void, amount: attempt.held) }

    /// A refund; if the PSP says the capture has not settled, a void of the whole capture, else a later refund.
    ///
    /// Beside a hold no void, which would release that instead.
    private func giveBack(_ net: Int64, of attempt: Attempt) -> PlannedOperation {
        let isUnsettled = attempt.held == 0 && attempt.all(.refund).last?.isRefusedAsUnsettled ?? false
        let isTried = attempt.all(.reverse).contains { $0.origin != .psp || $0.state == .succeeded }
        if isUnsettled, net == attempt.captured, !isTried {
            return PlannedOperation(kind: .reverse, amount: net)
        }
        return PlannedOperation(kind: .refund, amount: net)
    }

    /// Writes an operation down, leased to this instance unless it has to wait.
    mutating func start(_ plan: PlannedOperation, in attempt: Attempt, of payment: Payment) {
        guard let place = find(attempt.authorization.id) else { return }
        var operation = Operation(
            id: ids.make(at: now),
            kind: plan.kind,
            amount: plan.amount,
            origin: .gateway,
            createdAt: now,
            refund: plan.refund,
            isFinal: plan.isFinal
        )
        operation.cancelsStep = plan.cancelsStep
        if plan.kind == .capture {
            for refused in attempt.all(.capture) where refused.origin == .gateway && refused.state.isRefusal {
                change(refused.id) { $0.isReplaced = true }
            }
        }
        if attempt.route.takesApplicationFee { operation.commission = order.commission(of: operation, in: payment) }
        if plan.delayMilliseconds == 0 {
            lease(&operation)
        } else {
            operation.dueAt = now.adding(milliseconds: plan.delayMilliseconds)
        }
        changeAttempt(at: place) { $0.operations.append(operation) }
        var details: [OrderEvent.Detail] = [
            .init("amount", .integer(plan.amount)), .init("decision", .text(order.decision.state.rawValue)),
        ]
        if let refund = plan.refund { details.append(.init("refund", .text(refund.text))) }
        emit("payment.\(plan.kind.rawValue)_started", of: payment.id, operation: operation.id, details: details)
    }
}

extension Attempt {
    /// Whether it holds a rest that somebody wanted released, and the PSP refused that: nothing was captured since.
    ///
    /// A release that was asked for before anything was known to be captured was of the whole hold, and the PSP may let go
    /// of no rest. One that an operator says was refused is left to a person.
    fileprivate var keepsRestUnwanted: Bool {
        guard captured > 0, held > 0, let last = operations.last(where: { $0.kind == .capture || $0.kind == .void }),
            last.kind == .void, last.origin == .gateway, last.state.isRefusal, !last.isRefusedByOperator,
            !last.cancelsStep
        else { return false }
        return all(.capture).contains { capture in
            capture.doneAmount > 0 && capture.succeededAt.map { $0 <= last.createdAt } ?? false
        }
    }
}

extension Operation {
    /// Whether it is an operator who says that it was refused.
    fileprivate var isRefusedByOperator: Bool {
        if case .rejected(let rejection) = state { rejection.code == Rejection.operatorCode } else { false }
    }

    /// Whether the PSP refused it for our own mistake, such as a key that has expired.
    fileprivate var isRefusedAsMistaken: Bool {
        if case .rejected(let rejection) = state { rejection.reason == .configuration } else { false }
    }
}

/// An operation that should be started.
struct PlannedOperation {
    /// What to ask.
    var kind: Operation.Kind
    /// The amount to ask for, in minor units.
    var amount: Int64
    /// How long to wait first.
    var delayMilliseconds: Int64 = 0
    /// The refund it belongs to.
    var refund: RefundID?
    /// For a capture: whether what it leaves of the hold is released.
    var isFinal = true
    /// For a void: whether it calls off a step that the buyer did not finish.
    var cancelsStep = false

    /// What calls off the step of an attempt that the buyer did not finish.
    static func cancel(_ attempt: Attempt) -> PlannedOperation {
        PlannedOperation(kind: .void, amount: attempt.authorization.amount, cancelsStep: true)
    }
}

extension OrderMachine {
    /// Starts what gives back or releases, or, after a refusal, begins the refused operation anew.
    ///
    /// One operation is tried again under another key, a step of the schedule later each time; one of which the PSP made
    /// something that then came to nothing is replaced, so that no two things carry one name. At most
    /// ``OrderTimings/compensationTries`` times; where the PSP waits for settlement, ``OrderTimings/settlementTries``
    /// times. Then it rests with one attention item, and a person moves it (``retry(_:by:)``, ``resolve(_:_:_:)``).
    mutating func pursue(_ plan: PlannedOperation, in attempt: Attempt, of payment: Payment) {
        let failures = attempt.failures(of: plan)
        guard failures > 0, plan.kind != .capture else { return start(plan, in: attempt, of: payment) }
        let tries = attempt.tries(of: plan)
        let last = tries.last { $0.state.isRefusal }
        guard failures < limit(of: plan, after: last) else {
            return raiseExhaustedTries(plan, after: last ?? tries.last)
        }
        let wait = max(plan.delayMilliseconds, rules.pause(afterDoubts: failures))
        // What has become too much, or too little, is replaced too: the amount of an operation never changes.
        if let last, last.amount == plan.amount, last.leftNothing {
            beginAnew(last.id, delayMilliseconds: wait)
        } else {
            var plan = plan
            plan.delayMilliseconds = last?.isRefusedAsTooLarge == true ? 0 : wait
            start(plan, in: attempt, of: payment)
        }
    }

    /// Tells a person once that nothing more is tried by itself.
    private mutating func raiseExhaustedTries(_ plan: PlannedOperation, after last: Operation?) {
        guard let last, let place = find(last.id) else { return }
        let tries = Set(attempt(at: place).tries(of: plan).map(\.id))
        let isTold = order.attention.contains { $0.reason == .refundFailed && tries.contains($0.operation) }
        if !isTold { raise(.compensationRefused, last, at: place, amountAtRisk: plan.amount) }
    }

    /// How many tries there are: as many as settlement may take for a refund that waits for it, or that we took back while it
    /// did, because it had become too much.
    private func limit(of plan: PlannedOperation, after last: Operation?) -> Int64 {
        guard plan.kind == .refund, let last else { return rules.compensationTries }
        if case .notSent = last.state { return rules.settlementTries }
        return last.isRefusedAsUnsettled ? rules.settlementTries : rules.compensationTries
    }
}

extension Attempt {
    /// The tries of ours at the same undoing; of what is known to be approved none that was to call off a step of the buyer's.
    func tries(of plan: PlannedOperation) -> [Operation] {
        operations.filter { $0.isTry(of: plan) && !(isApproved && $0.cancelsStep) }
    }

    /// How many tries of ours came to nothing, or to less than was asked.
    func failures(of plan: PlannedOperation) -> Int64 {
        tries(of: plan).reduce(Int64(0)) { sum, operation in
            let isFailed =
                operation.state.isDefinite
                && (operation.state != .succeeded || (plan.refund == nil && operation.doneAmount < operation.amount))
            return sum + operation.retries + (isFailed ? 1 : 0)
        }
    }
}

extension Operation {
    /// Whether it is an earlier try of the same undoing.
    fileprivate func isTry(of plan: PlannedOperation) -> Bool {
        kind == plan.kind && refund == plan.refund && origin == .gateway
    }

    /// Whether the PSP refused it because the capture has not settled.
    var isRefusedAsUnsettled: Bool {
        if case .rejected(let rejection) = state { rejection.reason == .notSettledYet } else { false }
    }

    /// Whether the PSP refused it because so much is not left.
    var isRefusedAsTooLarge: Bool {
        if case .rejected(let rejection) = state { rejection.reason == .amountTooLarge } else { false }
    }
}

extension OrderMachine {
    /// Carries on refunds that a PSP refused because the capture has not settled.
    ///
    /// A refund of everything becomes a void of the capture, unless something is held still, which the void would
    /// release instead, or so much is not left, of which we have not heard yet; any other, or one whose void is
    /// refused, is tried again later, a step longer each time. Both are operations of the same refund, so that its claim stands.
    mutating func retryRefunds() {
        for refund in order.refunds {
            for payment in order.payments where refund.items.contains(where: { $0.payment == payment.id }) {
                for attempt in payment.attempts {
                    guard let plan = next(of: refund.id, in: attempt, of: payment) else { continue }
                    pursue(plan, in: attempt, of: payment)
                }
            }
        }
    }

    func next(of refund: RefundID, in attempt: Attempt, of payment: Payment) -> PlannedOperation? {
        let tries = attempt.operations.filter { $0.refund == refund }
        guard let first = tries.first, let last = tries.last, Self.isWaiting(last) else { return nil }
        let left = first.amount - attempt.refunded { $0.refund == refund }
        // Whoever asked was told that it failed, and does not wait for what comes to be left later.
        let regained = Self.isShort(last) ? payment.regained(of: attempt, since: first, short: last) : 0
        let amount = min(left, payment.refundable(of: attempt) - regained)
        guard amount > 0 else { return nil }
        let isSettledOtherwise = attempt.held == 0 && !attempt.hasOpenCapture
        let coversAll = isSettledOtherwise && amount == attempt.captured && !tries.contains { $0.kind == .reverse }
        if coversAll, last.isRefusedAsUnsettled {
            return PlannedOperation(kind: .reverse, amount: amount, refund: refund)
        }
        return PlannedOperation(kind: .refund, amount: amount, refund: refund)
    }

    /// Whether a refund came to nothing for want of what it was to give back.
    private static func isShort(_ operation: Operation) -> Bool {
        operation.isRefusedAsTooLarge || operation.state == .notSent(reason: nothingLeft)
    }

    /// Whether a refund waits for settlement, or for what is left: it was refused for that, or withdrawn before it was
    /// sent because it had become too much, or the void of the capture was refused.
    ///
    /// Not one of which an operator found that it never reached the PSP: whoever still wants it asks anew.
    private static func isWaiting(_ operation: Operation) -> Bool {
        switch operation.state {
        case .declined, .rejected:
            operation.kind == .reverse || operation.isRefusedAsUnsettled || operation.isRefusedAsTooLarge
        case .notSent(let reason): operation.kind == .refund && reason == nothingLeft
        case .open, .unknown, .pending, .actionRequired, .succeeded, .reversed: false
        }
    }
}
