import AdapterKit
package import Domain

/// What Braintree's processor response codes and gateway rejections mean in our categories.
///
/// Source: "Authorization responses" and "Gateway rejections", read in November 2026. Where Braintree calls a code a soft
/// decline the category is retryable, where it calls it a hard one it is not.
package enum BraintreeDeclines {
    /// The category of a processor response code; nil if the code is none that Braintree lists for declines.
    package static func category(_ code: String) -> Decline.Category? {
        guard code.utf8.count == 4, let number = Int(code) else { return nil }
        if let category = named[number] { return category }
        switch number {
        case 2000...2108: return soft.contains(number) ? .generic : .notPermitted
        case 2109...2999: return .generic
        case 3000...3999: return .temporary
        default: return nil
        }
    }

    /// The category of a reason for which the gateway itself rejected a transaction.
    ///
    /// Nil if the reason says nothing of the buyer or the card.
    package static func category(rejectedFor reason: String) -> Decline.Category? { rejections[reason] }

    /// "Closed Card": no payment without the buyer will ever be taken with it again.
    static let closedCard = "2108"

    /// Reasons that lie with the account rather than with the payment.
    static let configurationReasons: Set<String> = ["APPLICATION_INCOMPLETE", "MANUAL_TRANSACTIONS_DISABLED"]

    private static let soft: Set<Int> = [
        2000, 2001, 2002, 2003, 2016, 2025, 2026, 2034, 2035, 2038, 2040, 2042, 2046, 2048, 2057, 2062, 2078, 2080,
        2092,
        2099, 2101, 2102, 2103, 2104, 2105, 2106,
    ]

    private static let named: [Int: Decline.Category] = [
        2001: .insufficientFunds,
        2002: .limitExceeded, 2003: .limitExceeded, 2103: .limitExceeded,
        2004: .expiredCard,
        2005: .invalidCard, 2006: .invalidCard, 2007: .invalidCard, 2008: .invalidCard, 2009: .invalidCard,
        2010: .invalidCard, 2022: .invalidCard, 2051: .invalidCard, 2059: .invalidCard, 2060: .invalidCard,
        2108: .invalidCard,
        2012: .lostOrStolen, 2013: .lostOrStolen, 2047: .lostOrStolen, 2053: .lostOrStolen,
        2014: .suspectedFraud, 2077: .suspectedFraud,
        2099: .authenticationRequired, 2101: .authenticationRequired, 2102: .authenticationRequired,
        2034: .temporary, 2105: .temporary,
    ]

    private static let rejections: [String: Decline.Category] = [
        "AVS": .invalidCard, "AVS_AND_CVV": .invalidCard, "CVV": .invalidCard,
        "EXCESSIVE_RETRY": .notPermitted, "TOO_MANY_CONFIRMATION_ATTEMPTS": .notPermitted,
        "FRAUD": .suspectedFraud, "PAYMENT_METHOD_BLOCKED": .suspectedFraud, "RISK_THRESHOLD": .suspectedFraud,
        "THREE_D_SECURE": .authenticationRequired, "UNION_PAY_ENROLLMENT_REQUIRED": .notPermitted,
        "TOKEN_ISSUANCE": .generic,
    ]
}

/// The form in which Braintree counts a currency: decimal text.
///
/// Source: Braintree's page "Currencies" (9 January 2026), which lists the currencies and marks those without decimal
/// digits; read in November 2026. It lists SLL, STD, ZMK and ZWD, which ISO 4217 has replaced, and not what replaced
/// them; those are not taken. What an account may charge is a matter of its merchant accounts.
package struct BraintreeUnit: Hashable, Sendable {
    /// How many decimal digits an amount has at Braintree: 0 or 2.
    package let exponent: Int

    private let currency: Currency

    /// The unit of a currency; nil if Braintree does not take it.
    package init?(_ currency: Currency) {
        guard let exponent = Self.known[currency.code] else { return nil }
        self.exponent = exponent
        self.currency = currency
    }

    /// The amount as Braintree wants it; nil for another currency, or if Braintree cannot express it.
    package func text(_ money: Money) -> String? {
        guard money.currency == currency else { return nil }
        let parts = money.decimal.split(separator: ".")
        guard exponent == 0 else { return money.decimal }
        guard let whole = parts.first, parts.dropFirst().allSatisfy({ $0.allSatisfy { $0 == "0" } }) else { return nil }
        return String(whole)
    }

    /// For ``Capabilities``: the exponents that differ from ISO 4217's, and nil for what Braintree does not take.
    package static let exponents = MinorUnits.exponents { known[$0.code] }

    private static let known: [String: Int] = {
        var known: [String: Int] = [:]
        for (exponent, codes) in [(0, withoutDigits), (2, withTwoDigits)] {
            for code in codes.split(separator: " ") { known[String(code)] = exponent }
        }
        return known
    }()

    /// LAK has two digits in ISO 4217 and none at Braintree.
    private static let withoutDigits =
        "BIF CLP DJF GNF ISK JPY KMF KRW LAK PYG RWF UGX VND VUV XAF XOF XPF"

    private static let withTwoDigits = """
        AED AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BRL BSD BWP BYN BZD CAD CHF CNY COP CRC CVE CZK DKK DOP DZD \
        EGP ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR JMD KES KGS KHR KYD KZT LBP LKR LRD \
        LSL MAD MDL MKD MNT MOP MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB \
        SAR SBD SCR SEK SGD SHP SOS SRD SVC SYP SZL THB TJS TOP TRY TTD TWD TZS UAH USD UYU UZS VES WST XCD YER ZAR
        """
}
