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

/// What Square's error codes mean for a request that was refused, where they decline nothing.
///
/// Source: the list of error codes in Square's OpenAPI description, API version 2025-08-20.
enum SquareRefusals {
    /// Whether a code of a payment method's error refuses the request rather than the card.
    static func isKnown(_ code: String) -> Bool { table[code] != nil || settings.contains(code) }

    /// The reason; nil if the code speaks of a state that the payment, which was looked at, is not in.
    ///
    /// A used or expired token is a matter of configuration: the gateway takes that for doubt if the request was
    /// repeated, because the first one may be what used it.
    static func reason(for code: String, asking isFirst: Bool) -> Rejection.Reason? {
        if code.hasPrefix("DELAYED_TRANSACTION_") { return nil }
        if let reason = table[code] { return reason }
        switch code {
        case "NOT_FOUND": return isFirst ? .configuration : .notFound
        // The request is well formed but does not suit the payment.
        case "BAD_REQUEST": return isFirst ? .configuration : .unsupported
        default: return .configuration
        }
    }

    /// The seller's account, its location or our request is set up wrongly.
    private static let settings: Set<String> = [
        "INSUFFICIENT_PERMISSIONS", "INVALID_LOCATION", "MISSING_ACCOUNT_TYPE", "PAYMENT_AMOUNT_MISMATCH",
    ]

    private static let table: [String: Rejection.Reason] = [
        "AMOUNT_TOO_HIGH": .unsupported,
        "CARD_MISMATCH": .unsupported,
        "CARD_PRESENCE_REQUIRED": .unsupported,
        "INVALID_FEES": .unsupported,
        "PAYMENT_NOT_REFUNDABLE": .unsupported,
        "PAYMENT_NOT_REFUNDABLE_DUE_TO_DISPUTE": .unsupported,
        // "The requested refund amount exceeds the amount available to refund."
        "REFUND_AMOUNT_INVALID": .amountTooLarge,
        "REFUND_DECLINED": .unsupported,
        "RESERVATION_DECLINED": .unsupported,
        "SANDBOX_NOT_SUPPORTED": .unsupported,
        "UNSUPPORTED_COUNTRY": .unsupported,
        "UNSUPPORTED_CURRENCY": .unsupported,
        "UNSUPPORTED_INSTRUMENT_TYPE": .unsupported,
        "UNSUPPORTED_SOURCE_TYPE": .unsupported,

        // One refund at a time; and what is not completed is voided, not refunded.
        "REFUND_ALREADY_PENDING": .notSettledYet,
        "REFUND_ERROR_PAYMENT_NEEDS_COMPLETION": .notSettledYet,
    ]
}

/// The currencies that Square settles, in which its sellers are paid.
///
/// A seller takes the currency of its country, in ISO 4217's minor unit. Source: "Working with monetary amounts" and
/// "Supported payment methods by country", read in November 2026.
enum SquareCurrency {
    private static let codes: Set<String> = ["AUD", "CAD", "EUR", "GBP", "JPY", "USD"]

    /// Whether a seller of Square's may take the currency.
    static func takes(_ currency: Currency) -> Bool { codes.contains(currency.code) }

    /// Whether the amount of a payment in the currency can be changed before it is completed.
    ///
    /// It cannot for sellers in Japan ("Update payments", read in November 2026).
    static func canLowerAmount(_ currency: Currency) -> Bool { currency.code != "JPY" }

    /// For `Capabilities`: nil for every currency that Square does not take.
    static let exponents: [String: Int?] = {
        var exponents: [String: Int?] = [:]
        for currency in Currency.all where !takes(currency) { exponents.updateValue(nil, forKey: currency.code) }
        return exponents
    }()
}
