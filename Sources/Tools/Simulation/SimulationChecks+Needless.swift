import Domain

/// What was undone or refused although nobody had asked for that and nothing was in the way.
extension SimulationChecks {
    /// What is wrong with what an order gave up.
    static func needlessComplaints(about order: Order, _ events: [OrderEvent]) -> [String] {
        switch order.decision.state {
        case .accepted: lossComplaints(order, events)
        case .refused where order.decision.reason == .policyUnsatisfiable:
            isAcceptable(approved(in: order, events), to: order)
                ? ["it was refused although what was approved is enough for its policy"] : []
        case .refused, .canceled, .pending, .cleared: []
        }
    }

    /// Payments that an accepted order counts on, and of which nothing is left, though nobody asked to give them back and
    /// nothing failed.
    private static func lossComplaints(_ order: Order, _ events: [OrderEvent]) -> [String] {
        let cause = order.terms.onCaptureFailure == .compensate ? "payment.capture_failed" : nil
        guard !events.contains(where: { $0.type == cause || $0.type == "order.release_requested" }) else { return [] }
        let lost = order.payments.filter { payment in
            let undoing = payment.attempt.operations.filter { $0.kind == .void || $0.givesBack }
            let isAsked = undoing.contains { $0.refund != nil || $0.origin != .gateway }
            return order.decision.countsOn.contains(payment.id) && payment.canceledAt == nil && payment.net == 0
                && payment.attempt.held == 0 && undoing.contains { $0.state == .succeeded } && !isAsked
                && !payment.attempt.isLapsed
        }
        return lost.map { "\($0.externalIdentifier) was undone, for which nobody had asked" }
    }

    /// The payments that were known to be approved as their order was refused, and of which nothing was being called off,
    /// released or given back, nor had failed.
    private static func approved(in order: Order, _ events: [OrderEvent]) -> [Payment] {
        guard let refusal = events.first(where: { $0.type == "order.refused" }) else { return [] }
        let earlier = events.filter { $0.sequence < refusal.sequence }
        return order.payments.filter { payment in
            let said = earlier.filter { $0.payment == payment.id }
            guard let approval = said.last(where: { $0.type == "payment.authorized" }),
                approval.amount("done_amount") ?? 0 >= payment.amount
            else { return false }
            let isWaiting = said.last { $0.type.hasPrefix("payment.void") }.map { void in
                let next = void.details.first { $0.name == "next_try_at" }
                guard void.type == "payment.void_retried", case .text(let moment) = next?.value else { return false }
                return refusal.at.description < moment
            }
            return isWaiting ?? true && !said.contains { inTheWay.contains($0.type) }
        }
    }

    /// What of a payment may rightly have its order refused, though it was approved.
    private static let inTheWay: Set<String> = [
        "payment.capture_failed", "payment.cancel_requested", "payment.refunded_by_psp", "payment.released_by_psp",
        "payment.voided",
    ]
}

extension OrderEvent {
    /// One of its amounts, in minor units; nil if it says nothing of that.
    func amount(_ name: String) -> Int64? {
        let said = details.first { $0.name == name }
        if case .integer(let amount) = said?.value { return amount }
        return nil
    }
}
