package import Domain

/// What Square's error codes mean in our categories, as far as they decline a payment.
///
/// Source: the list of error codes in Square's OpenAPI description, API version 2025-08-20. `TEMPORARY_ERROR` is not
/// among them: it asks for the same request again.
package enum SquareDeclines {
    /// The category of a code; nil if it declines nothing.
    package static func category(_ code: String) -> Decline.Category? { table[code] }

    /// Every code there is a category for.
    package static var codes: [String] { table.keys.sorted() }

    private static let table: [String: Decline.Category] = [
        "GIFT_CARD_AVAILABLE_AMOUNT": .insufficientFunds,
        "INSUFFICIENT_FUNDS": .insufficientFunds,

        "CARD_EXPIRED": .expiredCard,

        "ADDRESS_VERIFICATION_FAILURE": .invalidCard,
        "BAD_EXPIRATION": .invalidCard,
        "CVV_FAILURE": .invalidCard,
        "EXPIRATION_FAILURE": .invalidCard,
        "INVALID_ACCOUNT": .invalidCard,
        "INVALID_CARD": .invalidCard,
        "INVALID_CARD_DATA": .invalidCard,
        "INVALID_ENCRYPTED_CARD": .invalidCard,
        "INVALID_EXPIRATION": .invalidCard,
        "INVALID_EXPIRATION_DATE": .invalidCard,
        "INVALID_EXPIRATION_YEAR": .invalidCard,
        "INVALID_POSTAL_CODE": .invalidCard,
        "PAN_FAILURE": .invalidCard,
        "VERIFY_AVS_FAILURE": .invalidCard,
        "VERIFY_CVV_FAILURE": .invalidCard,

        "APPLE_TTP_PIN_TOKEN": .authenticationRequired,
        "CARD_DECLINED_VERIFICATION_REQUIRED": .authenticationRequired,
        "INVALID_PIN": .authenticationRequired,
        "MISSING_PIN": .authenticationRequired,

        "ACCOUNT_UNUSABLE": .notPermitted,
        "ALLOWABLE_PIN_TRIES_EXCEEDED": .notPermitted,
        "BUYER_REFUSED_PAYMENT": .notPermitted,
        "CARDHOLDER_INSUFFICIENT_PERMISSIONS": .notPermitted,
        "CARD_NOT_SUPPORTED": .notPermitted,
        "CHIP_INSERTION_REQUIRED": .notPermitted,
        "CURRENCY_MISMATCH": .notPermitted,
        "MANUALLY_ENTERED_PAYMENT_NOT_SUPPORTED": .notPermitted,
        "PAYMENT_LIMIT_EXCEEDED": .notPermitted,
        "UNSUPPORTED_CARD_BRAND": .notPermitted,
        "UNSUPPORTED_ENTRY_METHOD": .notPermitted,

        "AMOUNT_TOO_HIGH": .limitExceeded,
        "TRANSACTION_LIMIT": .limitExceeded,

        "CARD_DECLINED": .generic,
        "CARD_DECLINED_CALL_ISSUER": .generic,
        "GENERIC_DECLINE": .generic,
        "READER_DECLINED": .generic,
        "VOICE_FAILURE": .generic,
    ]
}
