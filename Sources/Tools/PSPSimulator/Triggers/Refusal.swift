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
    package static func token(_ refusal: TokenScriptError) -> Refusal { Refusal(400, "invalid_token", refusal.message) }
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
    /// There is no settlement report that the adapter of this PSP reads.
    package static func noReport(of psp: String) -> Refusal {
        Refusal(404, "no_report", "The adapter of \(psp) reads no settlement report; GET /books has what happened.")
    }
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

/// Why the simulator's issuer or risk engine says no, as its replies spell it.
package enum DeclineCode: String, Hashable, Sendable, CaseIterable {
    /// The account has not enough money or credit.
    case insufficientFunds = "insufficient_funds"
    /// The card has expired.
    case expiredCard = "expired_card"
    /// The number, the expiry or the account is wrong.
    case invalidCard = "invalid_card"
    /// The card is reported lost or stolen.
    case lostOrStolen = "lost_or_stolen"
    /// A risk rule.
    case suspectedFraud = "suspected_fraud"
    /// The issuer wants the buyer authenticated first.
    case authenticationRequired = "authentication_required"
    /// The card may not be used for this.
    case notPermitted = "not_permitted"
    /// A limit on amount or count.
    case limitExceeded = "limit_exceeded"
    /// The issuer could not answer now.
    case temporary
    /// No reason given.
    case generic
    /// The buyer failed or refused the step asked of them.
    case authenticationFailed = "authentication_failed"
    /// The buyer did not finish the step in time.
    case actionExpired = "action_expired"

    /// The codes that a trigger can ask for; the others follow from what the buyer does.
    package static let triggerable = allCases.filter { $0 != .authenticationFailed && $0 != .actionExpired }

    /// A sentence for the developer of a checkout.
    package var message: String {
        switch self {
        case .insufficientFunds: "The account has insufficient funds."
        case .expiredCard: "The card has expired."
        case .invalidCard: "The card number or expiry is not valid."
        case .lostOrStolen: "The card was reported lost or stolen."
        case .suspectedFraud: "The payment was stopped by a risk rule."
        case .authenticationRequired: "The issuer requires the buyer to be authenticated."
        case .notPermitted: "The card does not permit this kind of payment."
        case .limitExceeded: "A limit of the card was exceeded."
        case .temporary: "The issuer could not be reached; try again later."
        case .generic: "The issuer declined without a reason."
        case .authenticationFailed: "The buyer was not authenticated."
        case .actionExpired: "The buyer did not finish the step in time."
        }
    }
}
