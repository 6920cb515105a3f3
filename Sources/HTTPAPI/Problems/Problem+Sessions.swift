import Gateway
import HTTPTypes
import StrictJSON

/// Refused Apple Pay sessions, in the words of the API.
extension Problem {
    /// The keys that open tokens cannot be read; which, is the operator's to know.
    static let unusableWallet = Problem(
        status: .serviceUnavailable,
        code: "wallet_unusable",
        detail: "The keys that open wallet tokens cannot be used here; the operator has to look at the server's log.",
        retryAfterSeconds: 60
    )

    /// The problem that answers a refused session.
    init(_ refusal: ApplePaySessionRefusal) {
        switch refusal {
        case .notConfigured(let what):
            self.init(
                status: .unprocessableContent,
                code: "apple_pay_not_configured",
                detail: "There is no Apple Pay on the web here: \(what)."
            )
        case .unknownMerchant:
            self = .invalid([
                Violation(
                    pointer: "/external_identifier",
                    code: "unknown_merchant",
                    detail: "The marketplace has no merchant with this external identifier."
                )
            ])
        case .refusedByApple(let status, let message):
            self.init(
                status: .badGateway,
                code: "apple_refused",
                detail: "Apple answered \(status)" + (message.map { ": \($0)" } ?? "") + Self.advice(status)
            )
        case .unreachable(let reason):
            self.init(
                status: .gatewayTimeout,
                code: "apple_unreachable",
                detail: "Apple did not answer: \(reason). Start the session again.",
                retryAfterSeconds: 1
            )
        }
    }

    /// What Apple's statuses mean, by its TN3174.
    private static func advice(_ status: Int) -> String {
        switch status {
        case 417: ". The merchant identifier is not registered, or not for this domain."
        case 400: ". A parameter is missing or malformed."
        default: "."
        }
    }
}
