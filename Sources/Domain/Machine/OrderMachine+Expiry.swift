extension OrderMachine {
    /// Whether an attempt holds something although its authorization has lapsed.
    func hasLapsed(_ attempt: Attempt) -> Bool {
        guard let expiresAt = attempt.expiresAt else { return false }
        return attempt.held > 0 && expiresAt <= now
    }

    /// Calls off an accepted order of which nothing is captured or can be captured any more; one that stands or falls
    /// as a whole, as soon as that is so of a part of it.
    mutating func callOffWhatIsGone() {
        guard order.decision.state == .accepted else { return }
        let counted = order.payments.filter(order.counts)
        guard counted.allSatisfy({ $0.captured == 0 && !$0.attempt.hasOpenCapture }) else { return }
        let isWhole = order.terms.policy == .allOrNothing
        let gone = counted.filter { isGone($0) || (isWhole && hasLapsed($0.attempt)) }
        guard isWhole ? !gone.isEmpty : gone.count == counted.count else { return }
        let isExpired = gone.contains { $0.attempt.isLapsed || hasLapsed($0.attempt) }
        let hasFailed = gone.contains { $0.attempt.hasFailedCapture }
        decision(becomes: .canceled, isExpired ? .expired : hasFailed ? .captureFailed : .released, countsOn: [])
    }

    /// Whether a payment that was held is not any more, and nobody has to look at why.
    private func isGone(_ payment: Payment) -> Bool {
        switch payment.state {
        case .expired, .voided: true
        case .captureFailed: payment.held == 0 && (payment.attempt.isLapsed || isCompensating)
        default: false
        }
    }

    /// Tells once that an authorization of an accepted order is about to lapse.
    mutating func tellOfExpiry() {
        guard let warning = expiryWarningAt, warning <= now, let lapse = order.captureBefore else { return }
        order.isExpiryTold = true
        let payments = order.payments.filter { order.counts($0) && $0.capturable > 0 }
        emit(
            "order.authorization_expiring",
            details: [
                .init("capture_before", .text(lapse.description)),
                .init("amount", .integer(payments.reduce(0) { $0 + $1.capturable })),
                .init("payments", .list(payments.map(\.id.text))),
            ]
        )
    }

    /// When to tell that an authorization is about to lapse; nil if there is nothing to tell, or it was told.
    var expiryWarningAt: Timestamp? {
        guard order.decision.state == .accepted, !order.isExpiryTold else { return nil }
        return order.payments.filter { order.counts($0) && $0.capturable > 0 }.compactMap { payment in
            payment.attempt.expiresAt.map { lapse in
                let life = lapse.milliseconds(since: payment.attempt.authorization.createdAt)
                return lapse.adding(milliseconds: -min(rules.expiryWarningMilliseconds, life / 2))
            }
        }.min()
    }

    /// When the next hold lapses that nobody is about to capture or release.
    ///
    /// One that lapsed already was looked at in this step; if its release rests, nothing more comes of looking again.
    var nextLapseAt: Timestamp? {
        order.payments.flatMap(\.attempts).filter { $0.held > 0 && $0.openOperations.isEmpty }
            .compactMap(\.expiresAt).filter { $0 > now }.min()
    }
}
