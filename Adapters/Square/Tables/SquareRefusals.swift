import Domain

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
