/// What a page hands to `completePayment` of an Apple Pay session, so that the sheet can close or let the buyer mend.
///
/// Apple, `ApplePayPaymentAuthorizationResult` (developer.apple.com, read 2026): a status, and errors, the most
/// critical first. The words are Apple's own.
package struct ApplePayResult: Hashable, Sendable {
    /// How the sheet closes.
    package enum Status: String, Sendable {
        /// `STATUS_SUCCESS`.
        case success
        /// `STATUS_FAILURE`.
        case failure
    }

    /// How it closes.
    package let status: Status
    /// What the buyer can mend; none on a failure that no other card of the buyer's would change.
    package let errors: [ApplePayError]

    /// Makes a result.
    package init(status: Status, errors: [ApplePayError] = []) {
        self.status = status
        self.errors = errors
    }
}
