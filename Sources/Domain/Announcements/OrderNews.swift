/// What is told of an order as a whole.
enum OrderNews {
    /// What the marketplace is told, in the order in which it makes sense.
    static func kinds(from before: Order, to after: Order) -> [Announcement.Kind] {
        var kinds: [Announcement.Kind] = []
        if after.decision.state != before.decision.state { kinds += decided(after.decision.state) }
        if after.status != before.status {
            if after.status == .requiresAction { kinds.append(.orderRequiresAction) }
            if isPaid(after.status), !isPaid(before.status), after.refunded == before.refunded {
                kinds.append(.orderPaid)
            }
        }
        if after.refunded > before.refunded, after.decision.state == .accepted { kinds.append(.orderRefunded) }
        let known = Set(before.attention.map(Matter.init))
        if !known.isSuperset(of: after.attention.map(Matter.init)) { kinds.append(.orderAttentionRequired) }
        if after.isExpiryTold, !before.isExpiryTold { kinds.append(.orderAuthorizationExpiring) }
        return kinds
    }

    private static func decided(_ state: Decision.State) -> [Announcement.Kind] {
        switch state {
        case .pending, .cleared: []
        case .accepted: [.orderAccepted]
        case .refused: [.orderRefused]
        case .canceled: [.orderCanceled]
        }
    }

    private static func isPaid(_ status: OrderStatus) -> Bool { status == .paid || status == .partiallyPaid }

    /// What makes two items of attention the same one, however its amount changes.
    private struct Matter: Hashable {
        let operation: OperationID
        let reason: Attention.Reason

        init(_ attention: Attention) {
            operation = attention.operation
            reason = attention.reason
        }
    }
}
