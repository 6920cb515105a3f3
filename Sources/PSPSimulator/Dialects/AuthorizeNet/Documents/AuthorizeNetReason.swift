/// What came of a transaction, in Authorize.Net's words: the response code, the reason and its text.
///
/// From its table of response codes (developer.authorize.net/api/reference/responseCodes.html, read 2026). It does not
/// pass on most of what issuers say: many declines are the general one, 2.
struct AuthorizeNetReason: Hashable, Sendable {
    /// What a refund of the wrong transaction is told.
    static let noCredit = "The referenced transaction does not meet the criteria for issuing a credit."

    /// 1 approved, 2 declined, 3 error, 4 held for review.
    let responseCode: Int64
    /// The reason, as digits.
    let code: String
    /// The reason's text.
    let text: String

    /// The transaction is approved.
    static let approved = Self(1, "1", "This transaction has been approved.")
    /// The merchant reviews the transaction.
    static let held = Self(4, "252", "Your order has been received. Thank you for your business!")
    /// A part is approved; the rest has to be paid otherwise.
    static let partial = Self(
        4,
        "295",
        "The amount of this request was only partially approved on the given prepaid card. An additional payment is "
            + "required to fulfill the balance of this transaction."
    )

    /// What came of an authorization.
    init(of authorization: Authorization) {
        switch authorization.status {
        case .pending, .requiresAction: self = .held
        case .declined: self = authorization.decline.map(Self.init) ?? Self(2, "2", Self.declined)
        case .authorized, .captured, .voided, .expired, .canceled:
            let isPartial = authorization.authorized > 0 && authorization.authorized < authorization.command.amount
            self = isPartial ? .partial : .approved
        }
    }

    /// Why a transaction is declined.
    init(_ code: DeclineCode) {
        self =
            switch code {
            case .expiredCard: Self(3, "8", "The credit card has expired.")
            case .invalidCard: Self(3, "6", "The credit card number is invalid.")
            case .lostOrStolen: Self(2, "4", Self.declined)
            case .suspectedFraud: Self(2, "251", Self.declined)
            case .authenticationRequired: Self(2, "3", Self.declined)
            case .temporary: Self(3, "19", "An error occurred during processing. Please try again.")
            case .insufficientFunds, .notPermitted, .limitExceeded, .generic: Self(2, "2", Self.declined)
            case .authenticationFailed, .actionExpired: Self(2, "254", Self.declined)
            }
    }

    private static let declined = "This transaction has been declined."

    private init(_ responseCode: Int64, _ code: String, _ text: String) {
        self.responseCode = responseCode
        self.code = code
        self.text = text
    }
}
