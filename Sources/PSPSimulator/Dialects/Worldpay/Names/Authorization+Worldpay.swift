/// What Worldpay's answers depend on.
extension Authorization {
    /// What may be done next.
    var worldpayActions: [WorldpayAction] {
        switch status {
        case .authorized where captured == 0: [.cancel, .settle, .partlySettle, .reverse]
        case .authorized: [.refund, .partlyRefund, .partlySettle, .cancel, .reverse]
        case .captured where refunded == 0: [.refund, .partlyRefund, .reverse]
        case .captured where refunded < captured: [.partlyRefund]
        case .captured, .pending, .requiresAction, .declined, .voided, .expired, .canceled: []
        }
    }

    /// Whether it got as far as the issuer: it has a payment id and is found by queries.
    var isSubmitted: Bool {
        switch status {
        case .requiresAction: false
        case .canceled: actionExpiresAt == nil
        case .declined: ![.suspectedFraud, .authenticationFailed, .actionExpired].contains(decline)
        case .pending, .authorized, .captured, .voided, .expired: true
        }
    }
}
