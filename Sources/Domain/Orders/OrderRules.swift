/// The rules that hold for an order after every step.
///
/// They are checked in production before an order is stored: a broken one stops that order, never the service. They
/// bind what we send. What a PSP does on its own may exceed an amount: then a person is told, and the rule is kept.
package enum OrderRules {
    /// What the order breaks, each rule once; empty for every order that the machine leaves behind.
    package static func violations(of order: Order) -> [OrderViolation] {
        let attempts = order.payments.flatMap(\.attempts)
        let operations = attempts.flatMap(\.operations)
        return OrderViolation.allCases.filter { isBroken($0, in: order, attempts, operations) }
    }

    /// Whether the order breaks a rule; its attempts and their operations are gathered once for all rules.
    private static func isBroken(
        _ rule: OrderViolation,
        in order: Order,
        _ attempts: [Attempt],
        _ operations: [Operation]
    ) -> Bool {
        switch rule {
        case .claimsExceedAuthorized:
            return attempts.contains { ClaimRules.exceedAuthorized($0) && !isTold(.overCaptured, of: $0, in: order) }
        case .claimsExceedCaptured:
            return order.payments.contains { payment in
                payment.attempts.contains {
                    payment.unexplainedOverrun(of: $0) > 0 && !isTold(.overRefunded, of: $0, in: order)
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
        guard !operation.isOpen, !operation.awaitsSearch else { return operation.dueAt == nil }
        return operation.dueAt != nil || operation.leasedBy != nil
    }

    private static func allocationDiffers(_ payment: Payment) -> Bool {
        func sum(_ part: (AllocationLine) -> Int64) -> Int64 { payment.allocation.reduce(0) { $0 + part($1) } }
        return sum(\.amount) != payment.amount || sum(\.captured) != payment.captured
            || sum(\.refunded) != payment.refunded
    }
}

/// The parts of the rules that look at what is claimed of a payment.
private enum ClaimRules {
    /// Whether captured, released, being captured and being released come to more than was authorized.
    ///
    /// What the PSP released by itself, or as an operator found, is left out: it may do so while a capture of ours is on
    /// its way. So is a capture that a refund implies, which may be that one.
    static func exceedAuthorized(_ attempt: Attempt) -> Bool {
        let authorization = attempt.authorization
        let authorized = authorization.doneOrAsked
        var (captured, capturing): (Int64, Int64) = (0, 0)
        for operation in attempt.operations
        where operation.kind == .capture && !operation.isImplied(after: authorization) {
            captured += operation.doneAmount
            capturing += operation.isOpen ? operation.amount : 0
        }
        let voids = attempt.all(.void).filter { $0.origin == .gateway }
        let released =
            voids.contains { $0.state == .succeeded }
            ? attempt.released : voids.contains(where: \.isOpen) ? attempt.held : 0
        return captured + capturing + released > authorized
    }

    /// Whether operations of a payment belong to no refund of it, or ask for more than their refund does.
    static func hasWrongRefund(_ payment: Payment, in order: Order) -> Bool {
        payment.attempts.flatMap(\.operations).contains { operation in
            guard let id = operation.refund else { return false }
            let item = order.refunds.first { $0.id == id }?.items.first { $0.payment == payment.id }
            return !operation.givesBack || operation.amount > item?.amount ?? 0
        }
    }

    /// Whether a dispute is of no attempt of the payment, below zero, or kept twice.
    static func hasWrongDispute(_ payment: Payment) -> Bool {
        let names = payment.disputes.map { [$0.attempt.text, $0.reference] }
        return Set(names).count != names.count
            || payment.disputes.contains { dispute in
                dispute.amount < 0 || !payment.attempts.contains { $0.id == dispute.attempt }
            }
    }
}

/// A rule that an order as it stands breaks.
///
/// None of them can happen unless the machine is wrong or a stored row was changed from outside.
package enum OrderViolation: String, Sendable, CaseIterable {
    /// Captured, being captured and being voided come to more than was authorized, and nobody is told.
    case claimsExceedAuthorized = "claims_exceed_authorized"
    /// Refunded, being refunded and charged back come to more than was captured, and nobody is told.
    case claimsExceedCaptured = "claims_exceed_captured"
    /// More than one try to authorize a payment may still come to something.
    case severalOpenAttempts = "several_open_attempts"

    /// Something is held that the decision does not want, or that is less than was asked, and nothing is under way to
    /// release it.
    case heldUnwanted = "held_unwanted"
    /// Something is captured that the decision does not want, and nothing is under way to give it back.
    case capturedUnwanted = "captured_unwanted"
    /// A capture was sent before the order was cleared.
    case capturedUndecided = "captured_undecided"
    /// An all-or-nothing order is captured in part, and no capture of the rest was ever sent.
    case capturedInPart = "captured_in_part"

    /// The decision lacks its reason, its time or the payments it counts on, or has them too early.
    case decisionIncoherent = "decision_incoherent"
    /// The order was cleared on payments that do not satisfy its policy.
    case policyUnsatisfied = "policy_unsatisfied"
    /// An operation acted on an amount without having succeeded, or on more than it was asked.
    case amountWithoutSuccess = "amount_without_success"
    /// An open operation that nobody will take in hand, or a finished one that somebody would.
    case scheduleIncoherent = "schedule_incoherent"
    /// The allocation lines do not sum to what the payment asked for, captured or gave back.
    case allocationDiffers = "allocation_differs"

    /// What the PSP did by itself is taken for something that still has to be done.
    case pspOperationOpen = "psp_operation_open"
    /// An operation belongs to a refund that does not exist, or does not concern its payment, or asks for more.
    case refundIncoherent = "refund_incoherent"
    /// A dispute is of an attempt that does not exist, of nothing, or is kept twice.
    case disputeIncoherent = "dispute_incoherent"
    /// Another route was tried for a payment whose credential must not go elsewhere.
    case reroutedUnduly = "rerouted_unduly"
}
