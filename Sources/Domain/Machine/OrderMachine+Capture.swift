extension OrderMachine {
    /// Captures an accepted order under manual capture: all of it, or amounts of payments.
    ///
    /// - Parameters:
    ///   - request: what to capture.
    ///   - ability: how the PSP account of a route captures.
    /// - Throws: ``RequestRefusal``; then nothing is captured.
    package mutating func capture(
        _ request: CaptureRequest,
        ability: (RouteSnapshot) -> CaptureAbility
    ) throws(RequestRefusal) {
        let plannedCaptures = try plannedCaptures(for: request, ability)
        let before = order.status
        emit(
            "order.capture_requested",
            details: [
                .init("amount", .integer(plannedCaptures.reduce(0) { $0 + $1.plan.amount })),
                .init("payments", .list(plannedCaptures.map(\.payment.id.text))),
            ]
        )
        for (payment, plan) in plannedCaptures { start(plan, in: payment.attempt, of: payment) }
        decideAndFollowUp(from: before)
    }

    private func plannedCaptures(
        for request: CaptureRequest,
        _ ability: (RouteSnapshot) -> CaptureAbility
    ) throws(RequestRefusal) -> [(payment: Payment, plan: PlannedOperation)] {
        guard order.decision.state == .accepted, order.terms.capture == .manual else {
            throw RequestRefusal(
                .notCapturable,
                "Only an accepted order under manual capture is captured on request; this one is \(order.status)."
            )
        }
        var plannedCaptures: [(payment: Payment, plan: PlannedOperation)] = []
        for item in try items(of: request) {
            let payment = try payment(item.payment, besides: plannedCaptures.map(\.payment.id))
            plannedCaptures.append((payment, try plan(for: item, of: payment, ability(payment.attempt.route))))
        }
        try requireWhole(plannedCaptures.map(\.payment.id))
        return plannedCaptures
    }

    private func items(of request: CaptureRequest) throws(RequestRefusal) -> [CaptureRequest.Item] {
        switch request {
        case .items(let items):
            guard !items.isEmpty else { throw RequestRefusal(.invalidAmount, "No payment is named.") }
            return items
        case .whole:
            let counted = order.payments.filter(order.counts)
            let capturable = counted.filter { $0.capturable > 0 }
            if let lapsed = capturable.first(where: { hasLapsed($0.attempt) }) { throw Self.expired(lapsed) }
            guard capturable.isEmpty else { return capturable.map { CaptureRequest.Item(payment: $0.id) } }
            let isTaken = counted.contains { $0.captured > 0 || $0.attempt.openCaptures > 0 }
            throw RequestRefusal(
                isTaken ? .alreadyCaptured : .notCapturable,
                isTaken ? "Everything is captured, or being captured." : "Nothing is held any more.",
                available: 0
            )
        }
    }

    private func plan(
        for item: CaptureRequest.Item,
        of payment: Payment,
        _ ability: CaptureAbility
    ) throws(RequestRefusal) -> PlannedOperation {
        let attempt = payment.attempt
        guard !hasLapsed(attempt), payment.state != .expired else { throw Self.expired(payment) }
        guard order.counts(payment), [.authorized, .capturing, .captured, .captureFailed].contains(payment.state) else {
            throw RequestRefusal(.notCapturable, "The payment is \(payment.state.rawValue).", payment: payment.id)
        }
        let available = attempt.capturable
        let amount = item.amount ?? available
        guard item.amount ?? 1 > 0 else {
            throw RequestRefusal(.invalidAmount, "An amount is above zero.", payment: payment.id, available: available)
        }
        guard amount > 0, amount <= available || PlantedBug.captureAboveHold.isPlanted else {
            throw RequestRefusal(
                .captureExceedsAuthorized,
                "\(available) of the authorized amount can be captured.",
                payment: payment.id,
                available: available
            )
        }
        let isFinal = item.isFinal || (amount == available && !attempt.hasOpenCapture)
        guard !isFinal || !attempt.hasOpenCapture else {
            throw RequestRefusal(
                .captureInProgress,
                "Another capture is under way, which one that releases the rest would overtake.",
                payment: payment.id
            )
        }
        let isSeveral = !isFinal || attempt.captured > 0 || attempt.hasOpenCapture
        guard !isSeveral || ability.multiple else {
            throw RequestRefusal(
                .multipleCapturesUnsupported,
                "\(attempt.route.psp) captures an authorization once.",
                payment: payment.id,
                available: available
            )
        }
        guard amount == available || ability.partial else {
            throw RequestRefusal(
                .partialCaptureUnsupported,
                "\(attempt.route.psp) captures all of an authorization or nothing.",
                payment: payment.id,
                available: available
            )
        }
        return PlannedOperation(kind: .capture, amount: amount, isFinal: isFinal)
    }

    /// An all-or-nothing order is captured as a unit: no payment of it is left untouched.
    private func requireWhole(_ named: [PaymentID]) throws(RequestRefusal) {
        guard order.terms.policy == .allOrNothing else { return }
        let left = order.payments.first {
            !named.contains($0.id) && $0.captured == 0 && !$0.attempt.hasOpenCapture
        }
        guard let left else { return }
        throw RequestRefusal(
            .captureInPart,
            "An all-or-nothing order is captured as a unit, every payment of it at once.",
            payment: left.id,
            available: left.capturable
        )
    }

    private static func expired(_ payment: Payment) -> RequestRefusal {
        RequestRefusal(.authorizationExpired, "The authorization has lapsed.", payment: payment.id, available: 0)
    }
}
