/// What came of an action: Checkout.com's response code and text (its page of API response codes, read 2026).
struct CheckoutResponse: Hashable, Sendable {
    /// It succeeded.
    static let approved = CheckoutResponse(code: "10000", summary: "Approved")
    /// A part of the amount was approved.
    static let partial = CheckoutResponse(code: "10010", summary: "Partial Value Approved")
    /// It failed without a reason of the issuer's.
    static let failed = CheckoutResponse(code: "20006", summary: "Error / Invalid Request Parameters")

    let code: String
    let summary: String

    private init(code: String, summary: String) {
        self.code = code
        self.summary = summary
    }

    /// Checkout.com's words for a decline.
    init(_ decline: DeclineCode) {
        (code, summary) =
            switch decline {
            case .insufficientFunds: ("20051", "Insufficient Funds")
            case .expiredCard: ("20054", "Expired Card")
            case .invalidCard: ("20014", "Invalid Card Number")
            case .lostOrStolen: ("30041", "Lost Card - Pick Up")
            case .suspectedFraud: ("40101", "Risk Blocked Transaction")
            case .authenticationRequired: ("20154", "3DS Authentication Required")
            case .notPermitted: ("20057", "Transaction Not Permitted to Cardholder")
            case .limitExceeded: ("20061", "Activity Amount Limit Exceeded")
            case .temporary: ("20091", "Issuer or Switch is Inoperative")
            case .generic: ("20005", "Declined - Do Not Honour")
            case .authenticationFailed: ("20151", "Cardholder Failed 3DS Authentication")
            case .actionExpired: ("20152", "Initial 3DS Transaction Not Completed Within 15 Minutes")
            }
    }
}
