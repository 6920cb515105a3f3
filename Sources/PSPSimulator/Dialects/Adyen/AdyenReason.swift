/// Why Adyen refuses a payment: its number and its text (docs.adyen.com, refusal reasons, read 2026).
struct AdyenReason: Hashable, Sendable {
    let code: String
    let text: String

    /// Adyen's words for a decline.
    init(_ code: DeclineCode) {
        (self.code, text) =
            switch code {
            case .insufficientFunds: ("12", "Not enough balance")
            case .expiredCard: ("6", "Expired Card")
            case .invalidCard: ("8", "Invalid Card Number")
            case .lostOrStolen: ("5", "Blocked Card")
            case .suspectedFraud: ("20", "FRAUD")
            case .authenticationRequired: ("38", "Authentication required")
            case .notPermitted: ("23", "Transaction Not Permitted")
            case .limitExceeded: ("28", "Withdrawal amount exceeded")
            case .temporary: ("9", "Issuer Unavailable")
            case .generic: ("2", "Refused")
            case .authenticationFailed: ("11", "3D Not Authenticated")
            case .actionExpired: ("21", "Not Submitted")
            }
    }
}
