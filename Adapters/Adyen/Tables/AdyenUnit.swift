package import Domain

/// The unit in which Adyen counts a currency, which is not always ISO 4217's minor unit.
///
/// Sources: Adyen's "Currency codes and minor units", and the list in Adyen's own Android library, read in November
/// 2026. A currency that took a listed one's place with the same unit (SLE, STN, VES, XCG) counts as listed.
package struct AdyenUnit: Hashable, Sendable {
    /// The code as Adyen writes it, in upper case.
    package let code: String
    /// How many decimal digits an amount has at Adyen.
    package let exponent: Int

    private let isoExponent: Int

    /// The unit of a currency; nil if Adyen does not take it.
    package init?(_ currency: Currency) {
        guard let exponent = Self.exponent(currency) else { return nil }
        code = currency.code
        self.exponent = exponent
        isoExponent = currency.exponent
    }

    /// The amount as Adyen counts it; nil if Adyen cannot express it.
    package func amount(_ minorUnits: Int64) -> Int64? {
        minorUnits >= 0 ? Self.rescale(minorUnits, from: isoExponent, to: exponent) : nil
    }

    /// Minor units of ISO 4217 from an amount as Adyen counts it; nil if it is no whole number of them.
    package func minorUnits(_ amount: Int64) -> Int64? {
        amount >= 0 ? Self.rescale(amount, from: exponent, to: isoExponent) : nil
    }

    /// For ``Capabilities``: the exponents that differ from ISO 4217's, and nil for what Adyen does not take.
    package static let exponents: [String: Int?] = {
        var exponents: [String: Int?] = [:]
        for currency in Currency.all where exponent(currency) != currency.exponent {
            exponents.updateValue(exponent(currency), forKey: currency.code)
        }
        return exponents
    }()

    private static func rescale(_ value: Int64, from: Int, to: Int) -> Int64? {
        var value = value
        for _ in 0..<max(0, to - from) {
            let (scaled, overflowed) = value.multipliedReportingOverflow(by: 10)
            guard !overflowed else { return nil }
            value = scaled
        }
        for _ in 0..<max(0, from - to) {
            guard value % 10 == 0 else { return nil }
            value /= 10
        }
        return value
    }

    private static func exponent(_ currency: Currency) -> Int? {
        differing[currency.code] ?? (same.contains(currency.code) ? currency.exponent : nil)
    }

    /// Adyen says itself that these differ from the standard.
    private static let differing = ["CLP": 2, "CVE": 0, "IDR": 0, "ISK": 2]

    private static let same = Set(
        """
        AED ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BHD BMD BND BOB BRL BSD BWP BYN BZD CAD CHF CNY COP CRC CUP CZK \
        DJF DKK DOP DZD EGP ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF ILS INR JMD JOD JPY KES \
        KGS KHR KMF KRW KWD KYD KZT LAK LBP LKR LYD MAD MDL MKD MMK MNT MOP MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK \
        NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SEK SGD SHP SLE SOS STN SVC SZL THB \
        TND TOP TRY TTD TWD TZS UAH UGX USD UYU UZS VES VND VUV WST XAF XCD XCG XOF XPF YER ZAR ZMW
        """.split(separator: " ").map { String($0) }
    )
}
