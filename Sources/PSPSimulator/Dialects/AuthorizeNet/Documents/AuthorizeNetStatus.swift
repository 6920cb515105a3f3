/// Where Authorize.Net says that a transaction stands (`transactionStatusEnum` of its schema).
enum AuthorizeNetStatus: String, Hashable, Sendable {
    /// The amount is held.
    case authorized = "authorizedPendingCapture"
    /// The amount will be taken at the next settlement; a void undoes it until then.
    case captured = "capturedPendingSettlement"
    /// The amount is taken; refunds give it back.
    case settled = "settledSuccessfully"
    /// The settlement failed.
    case settlementError
    /// The amount will be given back at the next settlement.
    case refundPending = "refundPendingSettlement"
    /// The amount is given back.
    case refunded = "refundSettledSuccessfully"
    /// The issuer or the merchant said no.
    case declined
    /// It came to an error.
    case generalError
    /// What was held or would have been taken is released.
    case voided
    /// What was held has lapsed.
    case expired
    /// The merchant reviews it.
    case held = "FDSPendingReview"

    /// Where a transaction stands that was not approved.
    init(refused reason: AuthorizeNetReason) { self = reason.responseCode == 3 ? .generalError : .declined }
}
