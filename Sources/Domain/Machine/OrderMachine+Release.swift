/// What the marketplace wants let go of an order, beyond what is captured.
package enum ReleaseRequest: Hashable, Sendable {
    /// All that is held.
    case whole
    /// What is held of payments.
    case payments([PaymentID])
}

extension OrderMachine {
    /// Lets go of what an accepted order under manual capture holds beyond what is captured.
    ///
    /// - Parameters:
    ///   - request: of which payments.
    ///   - ability: how the PSP account of a route captures, and whether it lets go behind that.
    /// - Throws: ``RequestRefusal``; then nothing is released.
    package mutating func release(
        _ request: ReleaseRequest,
        ability: (RouteSnapshot) -> CaptureAbility
    ) throws(RequestRefusal) {
        let payments = try holders(in: request, ability)
        let before = order.status
        emit(
            "order.release_requested",
            details: [
                .init("amount", .integer(payments.reduce(0) { $0 + $1.attempt.held })),
                .init("payments", .list(payments.map(\.id.text))),
            ]
        )
        for payment in payments {
            start(PlannedOperation(kind: .void, amount: payment.attempt.held), in: payment.attempt, of: payment)
        }
        decideAndFollowUp(from: before)
    }

    /// The payments that a request releases, each of which can be.
    private func holders(
        in request: ReleaseRequest,
        _ ability: (RouteSnapshot) -> CaptureAbility
    ) throws(RequestRefusal) -> [Payment] {
        guard order.decision.state == .accepted, order.terms.capture == .manual else {
            throw RequestRefusal(
                .notReleasable,
                "Only an accepted order under manual capture is released on request; this one is \(order.status)."
            )
        }
        switch request {
        case .whole:
            let holding = order.payments.filter { order.counts($0) && $0.attempt.held > 0 }
            guard !holding.isEmpty else {
                throw RequestRefusal(.nothingHeld, "Nothing is held beyond what is captured.", available: 0)
            }
            for payment in holding { try check(payment, ability(payment.attempt.route)) }
            return holding
        case .payments(let ids):
            guard !ids.isEmpty else { throw RequestRefusal(.invalidAmount, "No payment is named.") }
            return try payments(ids) { payment throws(RequestRefusal) in
                try check(payment, ability(payment.attempt.route))
            }
        }
    }

    /// Whether what a payment holds can be let go of now, apart from its order.
    private func check(_ payment: Payment, _ ability: CaptureAbility) throws(RequestRefusal) {
        try checkHold(of: payment, ability)
        if payment.attempt.captured == 0 { try checkUntouched(payment) }
    }

    /// Whether what a payment holds can be let go of: something is held, nothing takes or releases it, and the PSP lets go
    /// of it.
    func checkHold(of payment: Payment, _ ability: CaptureAbility) throws(RequestRefusal) {
        let attempt = payment.attempt
        guard attempt.held > 0, order.counts(payment) else {
            throw RequestRefusal(
                .nothingHeld,
                Self.emptiness(of: payment),
                payment: payment.id,
                available: 0
            )
        }
        guard !attempt.hasOpenCapture else {
            throw RequestRefusal(
                .captureInProgress,
                "A capture is under way, which a release would overtake.",
                payment: payment.id
            )
        }
        guard !attempt.openOperations.contains(where: { $0.kind == .void }) else {
            throw RequestRefusal(.releaseInProgress, "What it holds is being released.", payment: payment.id)
        }
        guard attempt.captured == 0 || ability.releasesRest else {
            throw RequestRefusal(
                .releaseUnsupported,
                "\(attempt.route.psp) lets go of nothing that it captured a part of: the rest lapses by itself"
                    + (attempt.expiresAt.map { ", at \($0) by what we know." } ?? "."),
                payment: payment.id
            )
        }
    }

    /// Why nothing of a payment is held.
    private static func emptiness(of payment: Payment) -> String {
        guard payment.captured > 0, payment.captured < payment.amount else {
            return "Nothing of the payment is held; it is \(payment.state.rawValue)."
        }
        return """
            \(payment.captured) of \(payment.amount) are captured, and nothing is held any more: that capture was the last, \
            or the rest was released since.
            """
    }

    /// A payment of which nothing is captured is called off with its order if that stands or falls as a whole.
    private func checkUntouched(_ payment: Payment) throws(RequestRefusal) {
        guard order.terms.policy == .allOrNothing else { return }
        throw RequestRefusal(
            .notReleasable,
            "Nothing of the payment is captured, and an all-or-nothing order is called off as a unit: cancel it.",
            payment: payment.id
        )
    }
}
