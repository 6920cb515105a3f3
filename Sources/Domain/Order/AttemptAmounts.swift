/// What the operations of an attempt come to, in minor units: a pure function of them, in whatever order they came
/// about.
package struct AttemptAmounts: Hashable, Sendable {
    /// What the PSP approved; at least what is captured, which implies it.
    package let authorized: Int64
    /// What is captured, given back or not; what is refunded implies it, unless a capture is known to have failed.
    package let captured: Int64
    /// What is given back.
    package let refunded: Int64
    /// What was released without being captured.
    package let released: Int64

    /// Adds operations up, the first of which is the authorization.
    init(of operations: [Operation]) {
        var (approved, captured, refunded): (Int64, Int64, Int64) = (0, 0, 0)
        var (isReleased, isVoided, hasFailedAfterAll, isExplained) = (false, false, false, false)
        for operation in operations where operation.state.rank >= OperationState.succeeded.rank {
            let isReversed = operation.state.rank > OperationState.succeeded.rank
            switch operation.kind {
            case .authorize: approved += operation.doneAmount
            case .capture:
                captured += operation.doneAmount
                hasFailedAfterAll = hasFailedAfterAll || (isReversed && !operation.isWithdrawn)
                isReleased = isReleased || (operation.isFinal && operation.doneAmount > 0)
                isExplained = isExplained || operations.first.map(operation.isImplied) ?? false
            case .void: isReleased = isReleased || !isReversed
            case .refund: refunded += operation.doneAmount
            case .reverse: isVoided = isVoided || !isReversed
            }
        }
        if isVoided { refunded = max(refunded, captured) }
        // Orders from before such captures were kept as operations have none to show.
        if refunded > captured, !hasFailedAfterAll, !isExplained {
            captured = max(captured, min(refunded, operations.first?.amount ?? 0))
        }
        authorized = max(approved, captured)
        released = isReleased ? authorized - captured : 0
        self.captured = captured
        self.refunded = refunded
    }

    /// What is still held on the card.
    package var held: Int64 { authorized - captured - released }
    /// What is captured and not given back.
    package var net: Int64 { max(0, captured - refunded) }
}
