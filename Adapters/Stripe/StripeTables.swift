import AdapterKit
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

    /// Decline codes by which the buyer or the issuer takes back the consent to payments that the merchant initiates.
    static let revocations: Set<String> = [
        "revocation_of_all_authorizations", "revocation_of_authorization", "stop_payment_order",
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

/// The unit in which Stripe counts a currency, which is not always ISO 4217's minor unit.
///
/// Source: Stripe's page "Supported currencies", read in November 2026. The codes with two decimal digits and the
/// three-digit ones are those it offers for card payments to at least some accounts; what an account may charge
/// depends on its country.
package struct StripeUnit: Hashable, Sendable {
    /// The code as Stripe writes it, in lower case.
    package let code: String
    /// How many decimal digits an amount has at Stripe.
    package let exponent: Int

    private let isoExponent: Int

    /// The unit of a currency; nil if Stripe does not take it.
    package init?(_ currency: Currency) {
        guard let exponent = Self.known[currency.code] else { return nil }
        code = currency.code.lowercased()
        self.exponent = exponent
        isoExponent = currency.exponent
    }

    /// The amount as Stripe counts it; nil if Stripe cannot express it.
    ///
    /// MGA is counted in whole ariary. The last digit of a three-digit amount must be 0, because Stripe's
    /// partners know two digits only.
    package func amount(_ minorUnits: Int64) -> Int64? {
        guard minorUnits >= 0, let amount = MinorUnits.rescale(minorUnits, from: isoExponent, to: exponent) else {
            return nil
        }
        return exponent == 3 && amount % 10 != 0 ? nil : amount
    }

    /// Minor units of ISO 4217 from an amount as Stripe counts it; nil if it is no whole number of them.
    package func minorUnits(_ amount: Int64) -> Int64? {
        amount >= 0 ? MinorUnits.rescale(amount, from: exponent, to: isoExponent) : nil
    }

    /// For ``Capabilities``: the exponents that differ from ISO 4217's, and nil for what Stripe does not take.
    package static let exponents = MinorUnits.exponents { known[$0.code] }

    private static let known: [String: Int] = {
        var known: [String: Int] = [:]
        for (exponent, codes) in [(0, withoutDigits), (2, withTwoDigits), (3, withThreeDigits)] {
            for code in codes.split(separator: " ") { known[String(code)] = exponent }
        }
        return known
    }()

    private static let withoutDigits = "BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF"

    /// ISK and UGX have no minor unit any more, but Stripe still wants them with two zeros: 5 ISK is 500.
    private static let withTwoDigits = """
        AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BRL BSD BWP BYN BZD CAD CDF CHF CNY COP CRC CVE \
        CZK DKK DOP DZD EGP ETB EUR FJD FKP GBP GEL GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR ISK JMD KES KGS KHR \
        KYD KZT LAK LBP LKR LRD LSL MAD MDL MKD MMK MNT MOP MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN \
        PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SEK SGD SHP SLE SOS SRD SZL THB TJS TOP TRY TTD TWD TZS UAH UGX \
        USD UYU UZS WST XCD XCG YER ZAR ZMW
        """

    private static let withThreeDigits = "BHD JOD KWD OMR TND"
}
