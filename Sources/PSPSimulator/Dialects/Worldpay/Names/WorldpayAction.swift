/// What a link of Worldpay's lets its holder do; the raw value is what the Payments API calls the link.
enum WorldpayAction: String, Hashable, Sendable, CaseIterable {
    case cancel = "cancelPayment"
    case settle = "settlePayment"
    case partlySettle = "partiallySettlePayment"
    case refund = "refundPayment"
    case partlyRefund = "partiallyRefundPayment"
    case reverse = "reversePayment"
    case supplyDeviceData = "supply3dsDeviceData"
    case completeChallenge = "complete3dsChallenge"
    case query = "self"

    /// What the Payments API's path ends in; empty for a query.
    var pathEnd: String {
        switch self {
        case .cancel: "cancellations"
        case .settle: "settlements"
        case .partlySettle: "partialSettlements"
        case .refund: "refunds"
        case .partlyRefund: "partialRefunds"
        case .reverse: "reversals"
        case .supplyDeviceData: "3dsDeviceData"
        case .completeChallenge: "3dsChallenges"
        case .query: ""
        }
    }

    /// What Card Payments calls the link, and what stands before the link in its path; nil if it has none.
    ///
    /// Payment Queries' examples settle and reverse under other paths than the description of Card Payments does:
    /// the links are as in the examples, and both are served.
    var card: (name: String, path: String)? {
        switch self {
        case .cancel: ("cardPayments:cancel", "payments/authorizations/cancellations")
        case .settle: ("cardPayments:settle", "payments/settlements/full")
        case .partlySettle: ("cardPayments:partialSettle", "payments/settlements/partials")
        case .refund: ("cardPayments:refund", "payments/settlements/refunds/full")
        case .partlyRefund: ("cardPayments:partialRefund", "payments/settlements/refunds/partials")
        case .reverse: ("cardPayments:reverse", "payments/authorizations/reversals")
        case .query: ("cardPayments:events", "payments/events")
        case .supplyDeviceData, .completeChallenge: nil
        }
    }
}
