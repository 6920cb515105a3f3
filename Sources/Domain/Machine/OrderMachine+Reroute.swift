extension OrderMachine {
    /// Tries another route for an authorization that provably reached no issuer, while the order waits for it.
    ///
    /// Never after a doubt, however it ended: only what was sent once, and of which this is the first word.
    mutating func reroute(_ before: Operation, _ outcome: Outcome, at place: Place) {
        let payment = order.payments[place.payment]
        let isUntouched = before.isFirstTry && before.doubts == 0
        guard before.kind == .authorize, isUntouched, order.decision.state == .pending, now < cutoff,
            payment.attempts[place.attempt].id == payment.attempt.id, self[place].state.isRefusal,
            let reason = Self.reason(outcome, for: payment.reroute), let route = payment.alternatives.first
        else { return }
        var authorization = Operation(
            id: ids.make(at: now),
            kind: .authorize,
            amount: payment.amount,
            origin: .gateway,
            createdAt: now
        )
        lease(&authorization)
        let from = payment.attempts[place.attempt]
        let attempt = Attempt(id: ids.make(at: now), route: route, operations: [authorization])
        order.payments[place.payment].alternatives.removeFirst()
        order.payments[place.payment].attempts.append(attempt)
        record.credentialMoves.append(CredentialMove(from: from.id, to: attempt.id))
        emit(
            "payment.rerouted",
            of: payment.id,
            operation: authorization.id,
            details: [
                .init("reason", .text(reason)), .init("from", .text(from.route.pspAccount)),
                .init("to", .text(route.pspAccount)), .init("psp", .text(route.psp)),
                .init("attempt", .text(attempt.id.text)),
            ]
        )
    }

    /// Why an outcome lets another route be tried; nil if it does not.
    private static func reason(_ outcome: Outcome, for reroute: Reroute) -> String? {
        switch (outcome, reroute) {
        case (.notSent(let reason), .ifNotSent), (.notSent(let reason), .ifRefused): "not sent: " + reason
        case (.rejected(let rejection), .ifRefused):
            rejection.reason == .configuration || rejection.reason == .unsupported
                ? "rejected: " + rejection.reason.rawValue : nil
        default: nil
        }
    }
}
