/// The rules that hold for an order after every step.
///
/// They are checked in production before an order is stored: a broken one stops that order, never the service. They
/// bind what we send. What a PSP does on its own may exceed an amount: then a person is told, and the rule is kept.
package enum OrderRules {
    /// What the order breaks, each rule once; empty for every order that the machine leaves behind.
    package static func violations(of order: Order) -> [OrderViolation] {
        OrderViolation.allCases.filter { isBroken($0, in: order) }
    }

    private static func isBroken(_ rule: OrderViolation, in order: Order) -> Bool {
        let attempts = order.payments.flatMap(\.attempts)
        let operations = attempts.flatMap(\.operations)
        switch rule {
        case .claimsExceedAuthorized:
            return attempts.contains { ClaimRules.exceedAuthorized($0) && !isTold(.overCaptured, of: $0, in: order) }
        case .claimsExceedCaptured:
            return order.payments.contains { payment in
                payment.attempts.contains {
                    payment.overrun(of: $0) > 0 && !isTold(.overRefunded, of: $0, in: order)
                }
            }
        case .severalOpenAttempts:
            return order.payments.contains { $0.attempts.count { $0.authorization.isOpen } > 1 }
        case .heldUnwanted:
            return (unwanted(in: order).map(\.attempt) + attempts.filter(\.isPartialApproval))
                .contains { $0.held > 0 && $0.openOperations.isEmpty && !isRested($0, in: order) }
        case .capturedUnwanted:
            return unwanted(in: order).contains {
                $0.payment.refundable(of: $0.attempt) > 0 && $0.attempt.openOperations.isEmpty
                    && !isRested($0.attempt, in: order)
            }
        case .capturedUndecided:
            return order.decision.state == .pending
                && operations.contains { $0.kind == .capture && $0.origin == .gateway }
        case .capturedInPart: return isCapturedInPart(order)
        case .decisionIncoherent: return isIncoherent(order.decision, in: order)
        case .policyUnsatisfied: return isUnsatisfied(order)
        case .amountWithoutSuccess: return operations.contains(where: hasWrongAmount)
        case .scheduleIncoherent: return operations.contains(where: hasWrongSchedule)
        case .allocationDiffers: return order.payments.contains(where: allocationDiffers)
        case .pspOperationOpen: return operations.contains { $0.origin == .psp && !$0.state.hasSucceeded }
        case .refundIncoherent: return order.payments.contains { ClaimRules.hasWrongRefund($0, in: order) }
        case .disputeIncoherent: return order.payments.contains(where: ClaimRules.hasWrongDispute)
        case .reroutedUnduly:
            return order.payments.contains { $0.reroute == .never && $0.attempts.count { !$0.isSurplus } > 1 }
        }
    }

    private static func isTold(_ reason: Attention.Reason, of attempt: Attempt, in order: Order) -> Bool {
        order.attention.contains { $0.reason == reason && $0.operation == attempt.authorization.id }
    }

    /// Whether a person was told that the PSP refuses to release or give back what an attempt has, time and again.
    private static func isRested(_ attempt: Attempt, in order: Order) -> Bool {
        let operations = Set(attempt.operations.map(\.id))
        return order.attention.contains {
            ($0.reason == .compensationRefused || $0.reason == .refundFailed) && operations.contains($0.operation)
        }
    }

    /// The attempts that have to be undone.
    ///
    /// All of a refused or canceled order, else those of payments the decision does not count on, and tries that
    /// another one replaced.
    private static func unwanted(in order: Order) -> [(payment: Payment, attempt: Attempt)] {
        order.payments.flatMap { payment in
            payment.attempts.filter { !order.counts(payment) || $0.id != payment.attempt.id }.map { (payment, $0) }
        }
    }

    private static func isCapturedInPart(_ order: Order) -> Bool {
        let state = order.decision.state
        guard order.terms.policy == .allOrNothing, state == .cleared || state == .accepted else { return false }
        let captures = order.payments.map { $0.attempt.all(.capture) }
        return captures.contains(where: \.isEmpty)
            && captures.joined().contains { $0.origin == .gateway && ($0.isOpen || $0.state == .succeeded) }
    }

    private static func isIncoherent(_ decision: Decision, in order: Order) -> Bool {
        switch decision.state {
        case .pending: decision != .pending
        case .cleared, .accepted:
            decision.reason == nil || decision.at == nil || decision.countsOn.isEmpty
                || !decision.countsOn.isSubset(of: order.payments.map(\.id))
        case .refused, .canceled: decision.reason == nil || decision.at == nil || !decision.countsOn.isEmpty
        }
    }

    private static func isUnsatisfied(_ order: Order) -> Bool {
        guard order.decision.state == .cleared || order.decision.state == .accepted else { return false }
        let counted = order.payments.filter { order.decision.countsOn.contains($0.id) }
        return !order.terms.policy.isSatisfied(by: counted, of: order.payments)
    }

    private static func hasWrongAmount(_ operation: Operation) -> Bool {
        operation.state == .succeeded
            ? operation.doneAmount < 0 || operation.doneAmount > operation.amount : operation.doneAmount != 0
    }

    private static func hasWrongSchedule(_ operation: Operation) -> Bool {
        operation.isOpen ? operation.dueAt == nil : operation.dueAt != nil || operation.leasedBy != nil
    }

    private static func allocationDiffers(_ payment: Payment) -> Bool {
        func sum(_ part: (AllocationLine) -> Int64) -> Int64 { payment.allocation.reduce(0) { $0 + part($1) } }
        return sum(\.amount) != payment.amount || sum(\.captured) != payment.captured
            || sum(\.refunded) != payment.refunded
    }
}
