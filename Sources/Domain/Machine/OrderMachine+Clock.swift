/// When an order wants to look at the clock, and what is over by then.
extension OrderMachine {
    /// When an order as it is stored wants to look at the clock again; nil if it waits for nothing but replies.
    package static func wakeAt(of order: Order, at now: Timestamp, _ rules: OrderTimings) -> Timestamp? {
        OrderMachine(order, at: now, by: "", rules: rules, ids: IdentifierSource()).wakeAt
    }

    /// When an order as it is stored has to look at the clock, or had to and perhaps has not: a hold that lapsed since is
    /// included, and what a step left to be followed up.
    package static func dueAt(of order: Order, at now: Timestamp, _ rules: OrderTimings) -> Timestamp? {
        OrderMachine(order, at: now, by: "", rules: rules, ids: IdentifierSource()).owedAt
    }

    /// When the order wants to be looked at if nobody has followed up its latest steps: now if there is anything to follow up.
    var owedAt: Timestamp? {
        let known = [wakeAt, nextLapse(after: nil)].compactMap(\.self).min()
        if let known, known <= now { return known }
        return isBehind ? now : known
    }

    /// Whether a look at the clock would change the order, though it is not time for one: a step did not follow up.
    private var isBehind: Bool {
        var machine = OrderMachine(order, at: now, by: instance, rules: rules, ids: ids)
        machine.tick()
        return machine.order != order || machine.record != Record()
    }

    /// When the order wants to look at the clock again; nil if it waits for nothing but replies.
    package var wakeAt: Timestamp? {
        let actions = order.payments.compactMap { payment in
            actionExpiry(of: payment).flatMap { restsUnfinished(payment) ? nil : $0 }
        }
        let decision: Timestamp? =
            switch order.decision.state {
            case .pending: min(timeUp, actionsAnsweredAt ?? timeUp)
            case .cleared: order.decision.at?.adding(milliseconds: rules.graceMilliseconds)
            case .refused, .canceled:
                order.isAnswered ? nil : order.decision.at?.adding(milliseconds: rules.graceMilliseconds)
            case .accepted: expiryWarningAt
            }
        return (actions + [decision, nextLapse(after: now)].compactMap(\.self)).min()
    }

    /// By when the buyer has to have finished; nil where nothing is left to finish, or it is being called off.
    ///
    /// What the PSP took without saying that the buyer has finished was approved all the same, and is nobody's to call off.
    func actionExpiry(of payment: Payment) -> Timestamp? {
        let attempt = payment.attempt
        guard !attempt.isApproved || PlantedBug.stepEndedThoughTaken.isPlanted,
            case .actionRequired(let action) = attempt.authorization.state, attempt.openOperations.isEmpty
        else { return nil }
        return action.expiresAt
    }

    /// Whether what the buyer did not finish is called off by no further try, and a person was told.
    private func restsUnfinished(_ payment: Payment) -> Bool {
        payment.attempt.failures(of: .cancel(payment.attempt)) >= rules.compensationTries
            && payment.attempt.operations.contains { tried in
                order.attention.contains { $0.reason == .compensationRefused && $0.operation == tried.id }
            }
    }

    /// When the checkout is told of the buyer's steps at the latest, though others may turn up.
    private var actionsAnsweredAt: Timestamp? {
        let isOwed = !order.isAnswered && order.status == .requiresAction && order.mayNeedMoreActions
        return isOwed ? order.terms.deadlineAt : nil
    }

    /// Calls off what the buyer did not finish in time.
    mutating func expireActions() {
        for payment in order.payments {
            guard let expiry = actionExpiry(of: payment), expiry <= now else { continue }
            if payment.attempt.all(.void).isEmpty {
                emit("payment.action_expired", of: payment.id, operation: payment.attempt.authorization.id)
            }
            if let plan = undo(payment.attempt, in: payment) { pursue(plan, in: payment.attempt, of: payment) }
        }
    }

    /// Takes back the cancel of a step that the buyer finished after all, while it waits to be sent once more, and what a person
    /// was told of its refusal.
    ///
    /// A cancel that was refused is begun anew after a pause; what became known in it is not to be released.
    mutating func withdrawNeedlessCancels() {
        guard !PlantedBug.cancelSentThoughDone.isPlanted else { return }
        for payment in order.payments where goal(of: payment) != .release {
            guard payment.attempt.isApproved else { continue }
            for void in payment.attempt.all(.void) where void.cancelsStep {
                if void.isOpen, !void.wasSent { withdraw(unsent: void, because: "the buyer finished after all") }
                guard self[void.id]?.state.isRefusal == true else { continue }
                order.attention.removeAll { $0.operation == void.id && $0.reason == .compensationRefused }
            }
        }
    }
}
