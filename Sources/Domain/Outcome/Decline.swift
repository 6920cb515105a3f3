/// Why the issuer or a risk rule said no.
public struct Decline: Hashable, Sendable {
    /// The PSP's own code, kept as it came (at most 100 characters).
    public var code: String
    /// The class it falls into.
    public var category: Category
    /// A sentence for the checkout's developer; never for the buyer.
    public var message: String
    /// Whether and when a payment that the merchant initiated may be tried again; nil if the PSP does not say.
    public var advice: RetryAdvice?

    /// Makes a decline.
    public init(code: String, category: Category, message: String, advice: RetryAdvice? = nil) {
        self.code = String(code.prefix(100))
        self.category = category
        self.message = String(message.prefix(300))
        self.advice = advice
    }

    /// What a PSP or a card network says of another try of a payment that the merchant initiated.
    public enum RetryAdvice: Hashable, Sendable {
        /// Not before that many milliseconds have passed.
        case after(milliseconds: Int64)
        /// Not with this card.
        case never
        /// Never: the buyer or the issuer has taken back the consent.
        case revoked
    }

    /// What becomes of an authorization that is voided before the buyer finished a step.
    static let calledOff = Decline(
        code: "canceled",
        category: .actionExpired,
        message: "The buyer's step was called off before it was done."
    )

    /// Whether the same buyer may try again with the same card later.
    public var isRetryable: Bool { category.isRetryable }

    /// The classes of declines, the same for every PSP.
    public enum Category: String, Sendable, CaseIterable {
        /// The account has not enough money or credit.
        case insufficientFunds = "insufficient_funds"
        /// The card has expired.
        case expiredCard = "expired_card"
        /// The card or token number, expiry or account is wrong.
        case invalidCard = "invalid_card"
        /// Lost, stolen or picked up. Show the buyer the generic wording only.
        case lostOrStolen = "lost_or_stolen"
        /// A risk rule at the PSP or the issuer. Show the buyer the generic wording only.
        case suspectedFraud = "suspected_fraud"
        /// The issuer wants the buyer authenticated first.
        case authenticationRequired = "authentication_required"
        /// The card may not be used for this: network, currency, merchant category, country.
        case notPermitted = "not_permitted"
        /// A limit on amount or count.
        case limitExceeded = "limit_exceeded"
        /// The issuer or network could not answer now.
        case temporary
        /// The PSP approved less than was asked; the approval was voided.
        case partialApproval = "partial_approval"
        /// The buyer did not finish the step in time.
        case actionExpired = "action_expired"
        /// No reason was given.
        case generic

        var isRetryable: Bool {
            switch self {
            case .insufficientFunds, .temporary, .limitExceeded, .authenticationRequired, .generic, .actionExpired: true
            case .expiredCard, .invalidCard, .lostOrStolen, .suspectedFraud, .notPermitted, .partialApproval: false
            }
        }
    }
}

/// Why the PSP refused a request.
public struct Rejection: Hashable, Sendable {
    /// The class it falls into.
    public var reason: Reason
    /// The PSP's own code, kept as it came (at most 100 characters).
    public var code: String
    /// A sentence for the operator.
    public var message: String
    /// What was captured of the payment ever, in minor units of its currency, where the PSP says so as it refuses a capture, or
    /// a void of what is captured; not kept with the operation.
    public var captured: Int64?
    /// The PSP's name for what the request made and that came to nothing; nil if it made nothing.
    ///
    /// The operation keeps it as its own reference.
    public var object: String?

    /// Makes a rejection.
    public init(_ reason: Reason, code: String, message: String, captured: Int64? = nil, object: String? = nil) {
        self.reason = reason
        self.code = String(code.prefix(100))
        self.message = String(message.prefix(300))
        self.captured = captured
        self.object = object
    }

    /// The rejection of what the PSP made and calls so.
    public func naming(_ object: String) -> Rejection {
        var rejection = self
        rejection.object = object
        return rejection
    }

    /// The rejection as it is kept.
    package var kept: Rejection { Rejection(reason, code: code, message: message) }

    /// The code of what an operator says was refused, or declined.
    static let operatorCode = "operator"

    /// What becomes of an effect that was kept as the PSP's own, once it turns out to be another operation's.
    static let explained = Rejection(
        .unsupported,
        code: "explained",
        message: "It turned out to be what another operation had done."
    )

    /// The classes of refusals, the same for every PSP.
    public enum Reason: String, Sendable, CaseIterable {
        /// The account's key, permissions or set-up are wrong, or our request is.
        case configuration
        /// The PSP cannot do this for this payment.
        case unsupported
        /// The authorization is captured already: it can be refunded, not voided.
        case alreadyCaptured = "already_captured"
        /// The authorization is voided already.
        case alreadyVoided = "already_voided"
        /// The authorization has lapsed.
        case expired
        /// The capture has not settled yet: it can be voided or refunded later.
        case notSettledYet = "not_settled_yet"
        /// The PSP has no such object. As an answer to an inquiry it counts only after the visibility delay.
        case notFound = "not_found"
        /// What the PSP had stored of the buyer's card is not there any more.
        case methodGone = "method_gone"
        /// More than there is: than can be captured, or than is left to refund.
        ///
        /// Asked again it is refused again, whoever took the rest; only a smaller amount gets on.
        case amountTooLarge = "amount_too_large"
    }
}
