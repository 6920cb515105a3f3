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
                    guard let wish = next(of: refund.id, in: attempt, of: payment) else { continue }
                    pursue(wish, in: attempt, of: payment)
                }
            }
        }
    }

    func next(of refund: RefundID, in attempt: Attempt, of payment: Payment) -> Wish? {
        let tries = attempt.operations.filter { $0.refund == refund }
        guard let first = tries.first, let last = tries.last, Self.isWaiting(last) else { return nil }
        let left = first.amount - attempt.refunded { $0.refund == refund }
        let amount = min(left, payment.refundable(of: attempt))
        guard amount > 0 else { return nil }
        let isSettledOtherwise = attempt.held == 0 && !attempt.hasOpenCapture
        let coversAll = isSettledOtherwise && amount == attempt.captured && !tries.contains { $0.kind == .reverse }
        if coversAll, last.isRefusedAsUnsettled { return Wish(kind: .reverse, amount: amount, refund: refund) }
        return Wish(kind: .refund, amount: amount, refund: refund)
    }

    /// Whether a refund waits for settlement, or for what is left: it was refused for that, or withdrawn before it was
    /// sent because it had become too much, or the void of the capture was refused.
    private static func isWaiting(_ operation: Operation) -> Bool {
        switch operation.state {
        case .declined, .rejected:
            operation.kind == .reverse || operation.isRefusedAsUnsettled || operation.isRefusedAsTooLarge
        case .notSent: operation.kind == .refund
        case .open, .unknown, .pending, .actionRequired, .succeeded, .reversed: false
        }
    }
}
