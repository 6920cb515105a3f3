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
