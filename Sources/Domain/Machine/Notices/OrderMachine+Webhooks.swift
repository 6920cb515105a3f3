extension OrderMachine {
    /// Keeps one item for the webhooks about the order that were not told to it, as long as there is one.
    ///
    /// - Parameters:
    ///   - webhook: the oldest of them; nil if there is none any more.
    ///   - attempt: the attempt it is about, if that is known.
    ///   - amount: the greatest amount it speaks of, in minor units of the order's currency.
    package mutating func review(waiting webhook: WebhookID?, about attempt: AttemptID?, amountAtRisk amount: Int64) {
        let index = order.attention.firstIndex { $0.reason == .webhookProblem }
        guard let webhook else {
            if let index { order.attention.remove(at: index) }
            return
        }
        if let index {
            let known = order.attention[index]
            order.attention[index] = Attention(
                payment: known.payment,
                operation: known.operation,
                reason: known.reason,
                amountAtRisk: known.webhook == webhook ? known.amountAtRisk : Self.bounded(amount),
                since: known.since,
                webhook: webhook
            )
            return
        }
        let attempts = order.payments.flatMap(\.attempts)
        guard let about = attempts.first(where: { $0.id == attempt }) ?? attempts.first,
            let place = find(about.authorization.id)
        else { return }
        raise(.webhookProblem, self[place], at: place, amountAtRisk: Self.bounded(amount), webhook: webhook)
    }

    /// Writes down that an operator has seen to a webhook that was not told to the order.
    package mutating func tell(ofDismissed webhook: WebhookID, evidence: String, reason: String, by person: String) {
        emit(
            "order.webhook_dismissed",
            details: [
                .init("webhook", .text(webhook.text)), .init("evidence", .text(evidence)),
                .init("reason", .text(reason)), .init("by", .text(person)),
            ]
        )
    }
}
