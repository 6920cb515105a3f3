package import Domain

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
    package static let exponents: [String: Int?] = {
        var exponents: [String: Int?] = [:]
        for currency in Currency.all where known[currency.code] != currency.exponent {
            exponents.updateValue(known[currency.code], forKey: currency.code)
        }
        return exponents
    }()

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
