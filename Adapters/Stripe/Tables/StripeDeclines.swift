package import Domain

/// What Stripe's decline codes mean in our categories.
///
/// Source: Stripe's list of decline codes and the codes of card errors, read in November 2026. A category that is
/// not retryable is given wherever Stripe advises against trying the same card again.
package enum StripeDeclines {
    /// The category of a decline code or of a card error's code; nil if it is none that Stripe lists.
    package static func category(_ code: String) -> Decline.Category? { table[code] }

    /// Every code there is a category for.
    package static var codes: [String] { table.keys.sorted() }

    /// What an advice code makes of a decline for which the issuer gave no reason.
    static func category(advisedBy advice: String) -> Decline.Category? {
        switch advice {
        case "confirm_card_data": .invalidCard
        case "do_not_try_again": .notPermitted
        case "try_again_later": .temporary
        default: nil
        }
    }

    /// Error codes that report a failed attempt although the error's type is `invalid_request_error`.
    static let failedAttempts: Set<String> = [
        "authentication_required", "payment_intent_authentication_failure", "payment_intent_payment_attempt_expired",
        "payment_intent_payment_attempt_failed", "payment_method_customer_decline", "payment_method_provider_decline",
    ]

    private static let table: [String: Decline.Category] = [
        "insufficient_funds": .insufficientFunds,
        "expired_card": .expiredCard,

        "incorrect_address": .invalidCard,
        "incorrect_cvc": .invalidCard,
        "incorrect_number": .invalidCard,
        "incorrect_zip": .invalidCard,
        "invalid_account": .invalidCard,
        "invalid_cvc": .invalidCard,
        "invalid_expiry_month": .invalidCard,
        "invalid_expiry_year": .invalidCard,
        "invalid_number": .invalidCard,
        "new_account_information_available": .invalidCard,

        "lost_card": .lostOrStolen,
        "pickup_card": .lostOrStolen,
        "stolen_card": .lostOrStolen,

        "fraudulent": .suspectedFraud,
        "merchant_blacklist": .suspectedFraud,
        "security_violation": .suspectedFraud,

        "authentication_required": .authenticationRequired,
        "incorrect_pin": .authenticationRequired,
        "invalid_pin": .authenticationRequired,
        "offline_pin_required": .authenticationRequired,
        "online_or_offline_pin_required": .authenticationRequired,
        "payment_intent_authentication_failure": .authenticationRequired,

        "card_not_supported": .notPermitted,
        "currency_not_supported": .notPermitted,
        "do_not_try_again": .notPermitted,
        "invalid_amount": .notPermitted,
        "no_action_taken": .notPermitted,
        "not_permitted": .notPermitted,
        "pin_try_exceeded": .notPermitted,
        "restricted_card": .notPermitted,
        "revocation_of_all_authorizations": .notPermitted,
        "revocation_of_authorization": .notPermitted,
        "service_not_allowed": .notPermitted,
        "stop_payment_order": .notPermitted,
        "testmode_decline": .notPermitted,
        "transaction_not_allowed": .notPermitted,

        "card_decline_rate_limit_exceeded": .limitExceeded,
        "card_velocity_exceeded": .limitExceeded,
        "withdrawal_count_limit_exceeded": .limitExceeded,

        "approve_with_id": .temporary,
        "issuer_not_available": .temporary,
        "processing_error": .temporary,
        "reenter_transaction": .temporary,
        "try_again_later": .temporary,

        "payment_intent_payment_attempt_expired": .actionExpired,

        "call_issuer": .generic,
        "card_declined": .generic,
        "do_not_honor": .generic,
        "duplicate_transaction": .generic,
        "generic_decline": .generic,
        "payment_intent_payment_attempt_failed": .generic,
        "payment_method_customer_decline": .generic,
        "payment_method_provider_decline": .generic,
    ]
}
