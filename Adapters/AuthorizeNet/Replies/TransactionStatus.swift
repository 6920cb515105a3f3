/// The states of a transaction that say something of a card payment.
///
/// Source: `transactionStatusEnum` of Authorize.Net's schema. The states of bank payments, of disputes, and those in
/// which an error left it open what happened are left out, so that they stay doubt.
enum TransactionStatus: String {
    /// Held, to be captured.
    case authorizedPendingCapture
    /// Captured, to be settled with the day's batch; it can be voided.
    case capturedPendingSettlement
    /// Settled; it can be refunded.
    case settledSuccessfully
    /// Held for review, not authorized yet.
    case pendingReview = "FDSPendingReview"
    /// Authorized, and held for review.
    case authorizedPendingReview = "FDSAuthorizedPendingReview"
    /// Held for review by Authorize.Net itself.
    case underReview
    /// Approved after a review, to be sent on.
    case approvedReview
    /// Refused by the issuer or a filter.
    case declined
    /// Refused after a review, and voided.
    case failedReview
    /// Canceled.
    case voided
    /// Lapsed, 30 days after it was authorized.
    case expired
    /// Refused with an error, whose code says why.
    case generalError
    /// A refund, to be settled.
    case refundPendingSettlement
    /// A refund that has settled.
    case refundSettledSuccessfully

    /// Whether the transaction gives money back.
    var isRefund: Bool { self == .refundPendingSettlement || self == .refundSettledSuccessfully }

    /// Whether a person has to look at it first.
    var isReview: Bool {
        switch self {
        case .pendingReview, .authorizedPendingReview, .underReview, .approvedReview: true
        default: false
        }
    }
}
