/// Why the issuer refuses a payment: Worldpay's code, its words, and the scheme's advice.
///
/// From developer.worldpay.com/products/reference/refusal-response and Payment Queries' OpenAPI description, read 2026;
/// 91 from the same list of Worldpay's older gateway.
struct WorldpayRefusalCode: Hashable, Sendable {
    let code: String
    let description: String
    /// The scheme's advice: 01 use new data, 02 try later, 03 do not try again.
    var advice: String?

    /// Worldpay's words for a decline.
    init(_ code: DeclineCode) {
        switch code {
        case .insufficientFunds: self.init("51", "Insufficient funds/over credit limit", "02")
        case .expiredCard: self.init("54", "Expired card", "01")
        case .invalidCard: self.init("14", "Invalid card number", "03")
        case .lostOrStolen: self.init("43", "STOLEN CARD, PICK UP", "03")
        case .suspectedFraud: self.init("34", "FRAUD SUSPICION")
        case .authenticationRequired: self.init("65", "Authentication requested")
        case .notPermitted: self.init("57", "Transaction not permitted to issuer/cardholder", "03")
        case .limitExceeded: self.init("61", "Exceeds withdrawal amount limit", "02")
        case .temporary: self.init("91", "CREDITCARD ISSUER TEMPORARILY NOT REACHABLE", "02")
        case .generic, .authenticationFailed, .actionExpired: self.init("5", "REFUSED")
        }
    }

    private init(_ code: String, _ description: String, _ advice: String? = nil) {
        self.code = code
        self.description = description
        self.advice = advice
    }
}
