/// A step of the buyer's that an order waits for.
package struct AwaitedAction: Hashable, Sendable {
    /// The payment that it is for.
    package let payment: Payment
    /// What to do.
    package let action: NextAction
    /// Whether the order's policy cannot be satisfied without the payment.
    package let isNeeded: Bool
}

extension Order {
    /// The buyer's steps that the order waits for, in the order in which to take them.
    ///
    /// First those without which the policy cannot be satisfied: if one of them fails, the order is refused, and no other
    /// step was worth the buyer's while. Then the greater amounts, since a buyer who gives up half way should leave less
    /// out; equal ones in the order of the contexts.
    package var awaitedActions: [AwaitedAction] {
        guard decision.state == .pending else { return [] }
        let possible = payments.filter { $0.standing != .failed }
        let awaited = payments.compactMap { payment -> AwaitedAction? in
            guard payment.waitsForBuyer, case .actionRequired(let action) = payment.attempt.authorization.state else {
                return nil
            }
            let others = possible.filter { $0.id != payment.id }
            let isNeeded = !terms.policy.isSatisfied(by: others, of: payments)
            return AwaitedAction(payment: payment, action: action, isNeeded: isNeeded)
        }
        return awaited.enumerated().sorted { first, second in
            if first.element.isNeeded != second.element.isNeeded { return first.element.isNeeded }
            let (one, other) = (first.element.payment.amount, second.element.payment.amount)
            return one == other ? first.offset < second.offset : one > other
        }.map(\.element)
    }
}
