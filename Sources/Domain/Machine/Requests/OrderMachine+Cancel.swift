extension OrderMachine {
    /// Calls off an order of which nothing is captured; what is held is released.
    ///
    /// An order that is not decided yet is refused: what surfaces later is undone.
    /// - Throws: ``RequestRefusal``; then nothing is changed.
    package mutating func cancel() throws(RequestRefusal) {
        let target: Decision.State
        switch order.decision.state {
        case .pending: target = .refused
        case .accepted:
            let counted = order.payments.filter(order.counts)
            if counted.contains(where: { $0.captured > 0 }) {
                throw RequestRefusal(.alreadyCaptured, "Something is captured: refund it.", available: 0)
            }
            if counted.contains(where: { $0.attempt.hasOpenCapture }) { throw Self.capturing }
            target = .canceled
        case .cleared: throw Self.capturing
        case .refused, .canceled:
            throw RequestRefusal(.notCancelable, "The order is \(order.decision.state.rawValue) already.")
        }
        let before = order.status
        emit("order.cancel_requested")
        decision(becomes: target, .requested, countsOn: [])
        settle(from: before)
    }

    private static var capturing: RequestRefusal {
        RequestRefusal(.captureInProgress, "Captures are under way; what they take can be refunded.")
    }
}
