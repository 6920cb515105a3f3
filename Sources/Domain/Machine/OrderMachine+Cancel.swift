/// Calling off on request: an order as a whole, or payments of it.
extension OrderMachine {
    /// Calls off an order of which nothing is captured; what is held is released.
    ///
    /// An order that is not decided yet is refused: what surfaces later is undone.
    /// - Throws: ``RequestRefusal``; then nothing is changed.
    package mutating func cancel() throws(RequestRefusal) {
        let target: Decision.State
        switch order.decision.state {
        case .pending: target = .refused
        case .accepted:
            let counted = order.payments.filter(order.counts)
            if counted.contains(where: { $0.captured > 0 }) {
                throw RequestRefusal(.alreadyCaptured, "Something is captured: refund it.", available: 0)
            }
            if counted.contains(where: { $0.attempt.hasOpenCapture }) { throw Self.capturing }
            target = .canceled
        case .cleared: throw Self.capturing
        case .refused, .canceled:
            throw over
        }
        let before = order.status
        emit("order.cancel_requested")
        for payment in order.payments { dismissFailedCapture(of: payment.id) }
        decision(becomes: target, .requested, countsOn: [])
        decideAndFollowUp(from: before)
    }

    private static var capturing: RequestRefusal {
        RequestRefusal(.captureInProgress, "Captures are under way; what they take can be refunded.")
    }
}

extension OrderMachine {
    /// Calls off payments of an order, and lets the others go on.
    ///
    /// A payment of which nothing is captured counts no more from now on: what it holds is released, and what surfaces of it
    /// is undone, whenever that is. Of one that is captured in part, the rest of the hold is released. Before anything of
    /// the order is captured, its policy has to accept what is left; behind that it may not be all-or-nothing, unless
    /// the others are given back. If nothing is left, the order is called off.
    ///
    /// - Parameters:
    ///   - ids: the payments.
    ///   - mayRelease: whether the caller may do so once something of the order is captured.
    ///   - ability: how the PSP account of a route captures, and whether it lets go behind that.
    /// - Throws: ``RequestRefusal``; then nothing is changed.
    package mutating func cancel(
        _ ids: [PaymentID],
        mayRelease: Bool = true,
        ability: (RouteSnapshot) -> CaptureAbility
    ) throws(RequestRefusal) {
        let payments = try cancelable(ids, mayRelease, ability)
        let isDecided = order.decision.state != .pending
        let dropped = payments.filter { !isDecided || $0.attempt.captured == 0 }.map(\.id)
        if !dropped.isEmpty, try !goesOn(without: dropped) { return try cancel() }
        let before = order.status
        emit(
            "order.cancel_requested",
            details: [
                .init("amount", .integer(payments.reduce(0) { $0 + (dropped.contains($1.id) ? $1.amount : $1.held) })),
                .init("payments", .list(payments.map(\.id.text))),
            ]
        )
        for payment in payments {
            if dropped.contains(payment.id) {
                drop(payment.id)
            } else {
                start(PlannedOperation(kind: .void, amount: payment.attempt.held), in: payment.attempt, of: payment)
            }
        }
        decideAndFollowUp(from: before)
    }

    /// The payments of an order that can be called off now, all of those that are named.
    private func cancelable(
        _ ids: [PaymentID],
        _ mayRelease: Bool,
        _ ability: (RouteSnapshot) -> CaptureAbility
    ) throws(RequestRefusal) -> [Payment] {
        guard !ids.isEmpty else { throw RequestRefusal(.invalidAmount, "No payment is named.") }
        switch order.decision.state {
        case .refused, .canceled: throw over
        case .pending, .cleared, .accepted: break
        }
        let isTaken = order.payments.contains { order.counts($0) && $0.captured > 0 }
        guard mayRelease || !isTaken || order.decision.state != .accepted else {
            throw RequestRefusal(
                .insufficientScope,
                "Something of the order is captured: to release what is held takes the scope operator from then on."
            )
        }
        return try payments(ids) { payment throws(RequestRefusal) in
            try checkCancelable(payment, ability(payment.attempt.route))
        }
    }

    private func checkCancelable(_ payment: Payment, _ ability: CaptureAbility) throws(RequestRefusal) {
        let isOver = payment.canceledAt != nil || (order.decision.state == .pending && payment.standing == .failed)
        guard !isOver, order.counts(payment) else {
            throw RequestRefusal(
                .notCancelable,
                "The payment is \(payment.state.rawValue), and counts no more.",
                payment: payment.id
            )
        }
        switch order.decision.state {
        case .pending: return
        case .cleared: throw Self.capturing
        case .accepted, .refused, .canceled:
            let attempt = payment.attempt
            guard attempt.captured < payment.amount || attempt.held > 0 || attempt.hasOpenCapture else {
                throw RequestRefusal(
                    .alreadyCaptured,
                    "All of the payment is captured: refund it.",
                    payment: payment.id,
                    available: 0
                )
            }
            try checkHold(of: payment, ability)
        }
    }

    /// Whether anything is left of the order without some payments that are not captured.
    ///
    /// - Throws: ``RequestRefusal`` if what is left would be an order that its policy does not accept.
    private func goesOn(without dropped: [PaymentID]) throws(RequestRefusal) -> Bool {
        let left = order.payments.filter {
            order.counts($0) && !dropped.contains($0.id) && ($0.standing != .failed || isRecapturable($0))
        }
        guard !left.isEmpty else { return false }
        let isTaken = order.decision.state == .accepted && left.contains { $0.captured > 0 }
        let policy = order.terms.policy
        let maySplit = policy != .allOrNothing || left.allSatisfy { $0.net == 0 }
        if policy.isSatisfied(by: left, of: order.payments) || (isTaken && maySplit) { return true }
        throw RequestRefusal(
            .policyUnsatisfied,
            isTaken
                ? "An all-or-nothing order is not let go of in part: capture the payment, or refund the others."
                : "Without it the order's policy, \(policy.name), is not satisfied: cancel the order.",
            payment: dropped.first
        )
    }

    /// Whether a payment whose capture failed is still held, and can be captured once more.
    private func isRecapturable(_ payment: Payment) -> Bool {
        order.decision.state == .accepted && !isCompensating && payment.state == .captureFailed
            && payment.attempt.held > 0
    }

    /// Has a payment count no more; its capture that failed needs nobody any more.
    private mutating func drop(_ id: PaymentID) {
        guard let index = order.payments.firstIndex(where: { $0.id == id }) else { return }
        order.payments[index].canceledAt = now
        emit("payment.cancel_requested", of: id)
        dismissFailedCapture(of: id)
    }

    /// A capture that failed needs nobody any more: nobody wants it.
    private mutating func dismissFailedCapture(of id: PaymentID) {
        guard order.terms.onCaptureFailure == .attention else { return }
        order.attention.removeAll { $0.payment == id && $0.reason == .captureFailed }
    }

    private var over: RequestRefusal {
        RequestRefusal(.notCancelable, "The order is \(order.decision.state.rawValue) already.")
    }
}
