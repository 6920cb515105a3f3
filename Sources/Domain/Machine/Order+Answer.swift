extension Order {
    /// Whether the checkout can be told: the buyer has something to do, the order is accepted, or it is refused
    /// and each undoing has had a first reply or `grace` is over.
    package func isAnswerable(at now: Timestamp, graceMilliseconds: Int64) -> Bool {
        switch decision.state {
        case .pending: status == .requiresAction
        case .cleared: false
        case .accepted: true
        case .refused, .canceled: hasFirstReplies || isGraceOver(at: now, graceMilliseconds)
        }
    }

    /// Whether something was heard of everything that was asked of PSPs behind the authorizations.
    package var hasFirstReplies: Bool {
        payments.flatMap(\.attempts).flatMap(\.operations)
            .allSatisfy { $0.kind == .authorize || $0.repliedAt != nil || $0.isForLater }
    }

    private func isGraceOver(at now: Timestamp, _ graceMilliseconds: Int64) -> Bool {
        guard let at = decision.at else { return true }
        return now >= at.adding(milliseconds: graceMilliseconds)
    }
}
