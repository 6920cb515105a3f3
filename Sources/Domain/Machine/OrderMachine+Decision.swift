extension OrderMachine {
    /// Decides a pending order as soon as it can be decided.
    ///
    /// It refuses as soon as no possible outcome can satisfy the policy; it clears when every payment is definite,
    /// or when time is up and the authorized ones satisfy the policy.
    mutating func decide() {
        guard order.decision.state == .pending else { return }
        let authorized = order.payments.filter { $0.standing == .authorized }
        let open = order.payments.filter { $0.standing == .open }
        let isTimeUp = now >= timeUp
        if !isSatisfied(by: authorized + open) {
            refuse(.policyUnsatisfiable)
        } else if open.isEmpty {
            clear(authorized, .policySatisfied)
        } else if isTimeUp {
            if isSatisfied(by: authorized) {
                clear(authorized, .policySatisfiedInTime)
            } else {
                refuse(now >= order.terms.decideBy ? .decideBy : .deadline)
            }
        }
    }

    /// A cleared order becomes accepted once every capture has had a first reply, or the grace is over.
    mutating func accept() {
        guard order.decision.state == .cleared, let clearedAt = order.decision.at else { return }
        let counted = order.payments.filter { order.decision.countsOn.contains($0.id) }
        let allReplied = counted.allSatisfy { payment in
            let ours = payment.attempt.all(.capture).filter { $0.origin == .gateway && !$0.isTakenBack }
            return ours.isEmpty ? payment.captured > 0 : ours.allSatisfy { $0.repliedAt != nil }
        }
        let isOver = now >= clearedAt.adding(milliseconds: rules.graceMilliseconds)
        guard order.terms.capture == .manual || allReplied || isOver else { return }
        decision(becomes: .accepted, order.decision.reason, countsOn: order.decision.countsOn)
        redrawRefunds()
        for payment in counted { raiseFailedCapture(payment) }
    }

    /// A capture that failed for good while the order is only cleared refuses it if the policy needs that payment;
    /// once it is accepted the policy never runs again.
    mutating func checkCaptures() {
        switch order.decision.state {
        case .cleared:
            let counted = order.payments.filter { order.decision.countsOn.contains($0.id) }
            guard counted.contains(where: hasFailed), !PlantedBug.captureFailureForgotten.isPlanted else { return }
            let left = counted.filter { $0.standing == .authorized && !hasFailed($0) }
            if isSatisfied(by: left) {
                order.decision.countsOn = Set(left.map(\.id))
            } else {
                refuse(.captureFailed)
            }
        case .accepted:
            for payment in order.payments where order.counts(payment) { raiseFailedCapture(payment) }
        case .pending, .refused, .canceled:
            return
        }
    }

    /// Whether a payment failed, or a capture of it for which the order would be undone as soon as it is accepted.
    ///
    /// One that only a capture had approved has failed with that, though its own approval may still come. A refund that fails says
    /// nothing against the capture that it had implied.
    private func hasFailed(_ payment: Payment) -> Bool {
        let isOpenAgain = payment.standing == .open && payment.attempt.hasFailedCapture
        guard payment.standing != .failed, !isOpenAgain else { return true }
        let isLost = isToldAsFailed(payment) || !payment.attempt.failedCaptures.isEmpty
        return order.terms.onCaptureFailure == .compensate && isLost
    }

    /// When the waiting ends: at the deadline, unless the order goes on behind it or the buyer has something to do.
    var cutoff: Timestamp {
        let waits = order.terms.onDeadline == .continue || order.payments.contains(where: \.waitsForBuyer)
        return waits ? order.terms.decideBy : min(order.terms.deadlineAt, order.terms.decideBy)
    }

    /// When a pending order is decided without what is open still: at the cutoff, but not while an authorization may have
    /// come to something behind the point that the books were restored to.
    ///
    /// Such a one was marked behind the cutoff (``distrustBooks()``), and nobody has had its PSP's word yet. Its order may
    /// long be paid, and refusing it would give that back. For a day from the mark only, however often it is sent meanwhile:
    /// a PSP that can be asked has answered by then, and of another one nothing more is to be expected.
    var timeUp: Timestamp {
        let cutoff = cutoff
        let awaited = order.payments.filter(order.counts).map(\.attempt.authorization).compactMap {
            authorization -> Timestamp? in
            let mark = PlantedBug.patienceRenewed.isPlanted ? nil : authorization.distrustedAt
            let since = mark ?? authorization.sentAt
            guard authorization.isOpen, authorization.isAnsweredInDoubt, authorization.doubts > 0, let since,
                since >= cutoff
            else { return nil }
            return since.adding(milliseconds: Self.restoredPatienceMilliseconds)
        }
        return PlantedBug.decisionBeforeWord.isPlanted ? cutoff : awaited.max() ?? cutoff
    }

    /// How long a restored order waits for the word of a PSP behind its cutoff: 24 hours.
    static let restoredPatienceMilliseconds: Int64 = 86_400_000

    /// The deadline does not run while the buyer has something to do.
    mutating func trackAction() {
        guard order.decision.state == .pending else { return }
        let hasAction = order.payments.contains(where: \.waitsForBuyer)
        if hasAction, order.actionSince == nil {
            order.actionSince = now
            emit("order.requires_action")
        } else if !hasAction, let since = order.actionSince {
            order.terms.deadlineAt = order.terms.deadlineAt.adding(milliseconds: now.milliseconds(since: since))
            order.actionSince = nil
        }
    }

    private func isSatisfied(by payments: [Payment]) -> Bool {
        order.terms.policy.isSatisfied(by: payments, of: order.payments)
    }

    private mutating func clear(_ authorized: [Payment], _ reason: Decision.Reason) {
        decision(becomes: .cleared, reason, countsOn: Set(authorized.map(\.id)))
    }

    private mutating func refuse(_ reason: Decision.Reason) {
        decision(becomes: .refused, reason, countsOn: [])
    }

    mutating func decision(
        becomes state: Decision.State,
        _ reason: Decision.Reason?,
        countsOn: Set<PaymentID>
    ) {
        order.decision = Decision(state: state, reason: reason, at: now, countsOn: countsOn)
        let standings = order.payments.map { "\($0.externalIdentifier): \($0.state.rawValue)" }
        emit(
            "order." + state.rawValue,
            details: [
                .init("reason", .text(reason?.rawValue ?? "")), .init("policy", .text(order.terms.policy.name)),
                .init("payments", .list(standings)),
                .init("counts_on", .list(order.payments.map(\.id).filter(countsOn.contains).map(\.text))),
            ]
        )
    }

    private mutating func raiseFailedCapture(_ payment: Payment) {
        for capture in payment.attempt.failedCaptures {
            guard let place = find(capture.id) else { continue }
            raise(.captureFailed, capture, at: place, amountAtRisk: capture.amount)
        }
    }
}

extension OrderMachine {
    /// Whether an attempt holds something although its authorization has lapsed.
    func hasLapsed(_ attempt: Attempt) -> Bool {
        guard let expiresAt = attempt.expiresAt else { return false }
        return attempt.held > 0 && expiresAt <= now
    }

    /// Calls off an accepted order of which nothing is captured or can be captured any more; one that stands or falls
    /// as a whole, as soon as that is so of a part of it.
    mutating func callOffWhatIsGone() {
        guard order.decision.state == .accepted else { return }
        let counted = order.payments.filter(order.counts)
        guard counted.allSatisfy({ $0.captured == 0 && !$0.attempt.hasOpenCapture }) else { return }
        let isWhole = order.terms.policy == .allOrNothing
        let gone = counted.filter { isGone($0) || (isWhole && hasLapsed($0.attempt)) }
        guard isWhole ? !gone.isEmpty : gone.count == counted.count else { return }
        let isExpired = gone.contains { $0.attempt.isLapsed || hasLapsed($0.attempt) }
        let hasFailed = gone.contains { $0.attempt.hasFailedCapture }
        decision(becomes: .canceled, isExpired ? .expired : hasFailed ? .captureFailed : .released, countsOn: [])
    }

    /// Whether a payment that was held is not any more, and nobody has to look at why.
    private func isGone(_ payment: Payment) -> Bool {
        switch payment.state {
        case .expired, .voided: true
        case .captureFailed: payment.held == 0 && (payment.attempt.isLapsed || isCompensating)
        default: false
        }
    }

    /// Tells once that an authorization of an accepted order is about to lapse.
    mutating func emitExpiryWarning() {
        guard let warning = expiryWarningAt, warning <= now, let lapse = order.captureBefore else { return }
        order.isExpiryTold = true
        let payments = order.payments.filter { order.counts($0) && $0.capturable > 0 }
        emit(
            "order.authorization_expiring",
            details: [
                .init("capture_before", .text(lapse.description)),
                .init("amount", .integer(payments.reduce(0) { $0 + $1.capturable })),
                .init("payments", .list(payments.map(\.id.text))),
            ]
        )
    }

    /// When to tell that an authorization is about to lapse; nil if there is nothing to tell, or it was told.
    var expiryWarningAt: Timestamp? {
        guard order.decision.state == .accepted, !order.isExpiryTold else { return nil }
        return order.payments.filter { order.counts($0) && $0.capturable > 0 }.compactMap { payment in
            payment.attempt.expiresAt.map { lapse in
                let life = lapse.milliseconds(since: payment.attempt.authorization.createdAt)
                return lapse.adding(milliseconds: -min(rules.expiryWarningMilliseconds, life / 2))
            }
        }.min()
    }

    /// When the next hold lapses that nobody is about to capture or release.
    ///
    /// One that lapsed already was looked at by a step that followed up; if its release rests, nothing more comes of looking
    /// again.
    func nextLapse(after time: Timestamp?) -> Timestamp? {
        order.payments.flatMap(\.attempts).filter { $0.held > 0 && $0.openOperations.isEmpty }
            .compactMap(\.expiresAt).filter { lapse in time.map { lapse > $0 } ?? true }.min()
    }
}
