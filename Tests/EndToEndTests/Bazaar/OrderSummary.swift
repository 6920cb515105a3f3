import Domain

/// What an order came to, without the names and times that differ from run to run.
struct OrderSummary: Hashable {
    /// What a payment came to.
    struct Part: Hashable {
        var state: PaymentState
        var authorized: Int64
        var captured: Int64
        var refunded: Int64
    }

    var status: OrderStatus
    var decision: Decision.State
    var reason: Decision.Reason?
    var parts: [String: Part]
    var attention: Set<Attention.Reason>

    init(_ order: Order) {
        status = order.status
        decision = order.decision.state
        reason = order.decision.reason
        attention = Set(order.attention.map(\.reason))
        parts = Dictionary(
            uniqueKeysWithValues: order.payments.map { payment in
                let part = Part(
                    state: payment.state,
                    authorized: payment.authorized,
                    captured: payment.captured,
                    refunded: payment.refunded
                )
                return (payment.externalIdentifier, part)
            }
        )
    }

    /// The summary less how a payment that came to nothing did so.
    ///
    /// Whether a slow PSP ever got a request is decided by when the gateway dies.
    var withoutDetours: OrderSummary {
        var summary = self
        for (name, part) in parts where part.captured == part.refunded {
            summary.parts[name] = nil
        }
        return summary
    }
}
