/// A request that the simulator refuses without any effect.
package struct Refusal: Error, Hashable, Sendable {
    /// The HTTP status, 400 to 499.
    package let status: Int
    /// What an adapter decides by.
    package let code: String
    /// A sentence for the sender.
    package let message: String

    init(_ status: Int, _ code: String, _ message: String) {
        self.status = status
        self.code = code
        self.message = message
    }

    /// The request itself is wrong.
    package static func invalid(_ message: String) -> Refusal { Refusal(400, "invalid_request", message) }
    /// The account is not set up for it (a trigger).
    package static let configuration = Refusal(400, "configuration_error", "The account is not set up for this.")
    /// It is not supported (a trigger).
    package static let unsupported = Refusal(400, "unsupported", "This operation is not supported.")
    /// The token is not one of the simulator's.
    package static func token(_ refusal: TokenRefusal) -> Refusal { Refusal(400, "invalid_token", refusal.message) }
    /// A POST came without an idempotency key.
    package static let missingKey = Refusal(
        400,
        "idempotency_key_required",
        "The header Idempotency-Key is required, 1 to 255 characters."
    )
    /// The amount is more than what is left.
    package static let amountTooLarge = Refusal(400, "amount_too_large", "The amount is more than what is left.")
    /// The key is missing or wrong.
    package static let unauthorized = Refusal(401, "invalid_key", "The API key is missing or not valid.")
    /// There is no such object for this account.
    package static let notFound = Refusal(404, "not_found", "There is no such object.")
    /// The key was used for another request.
    package static let keyMismatch = Refusal(
        409,
        "idempotency_mismatch",
        "The idempotency key was used for another request."
    )
    /// Another operation of the authorization is still pending.
    package static let inProgress = Refusal(
        409,
        "operation_in_progress",
        "Another operation of this authorization is pending."
    )
    /// The PSP's own name for the authorization is in the books already.
    package static let alreadyNamed = Refusal(409, "already_named", "There is such an object already.")
    /// Several authorizations have the reference.
    package static let ambiguousReference = Refusal(
        409,
        "ambiguous_reference",
        "Several authorizations have this reference."
    )
    /// The authorization is captured.
    package static let alreadyCaptured = Refusal(409, "already_captured", "The authorization is captured already.")
    /// The authorization is voided, or never held anything.
    package static let alreadyVoided = Refusal(409, "already_voided", "The authorization holds nothing.")
    /// The authorization has lapsed.
    package static let expired = Refusal(409, "authorization_expired", "The authorization has lapsed.")
    /// The authorization is not approved.
    package static let notAuthorized = Refusal(409, "not_authorized", "The authorization is not approved.")
    /// There is no capture to refund.
    package static let notCaptured = Refusal(409, "not_captured", "The authorization is not captured.")
    /// The capture cannot be refunded yet.
    package static let notSettledYet = Refusal(409, "not_settled_yet", "The capture has not settled yet.")
    /// The body is longer than allowed.
    package static let tooLarge = Refusal(413, "body_too_large", "The request's body is too large.")
}
