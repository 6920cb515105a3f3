package import Domain

/// The currencies that are charged through Worldpay, each in ISO 4217's minor unit.
///
/// Worldpay's descriptions say that an amount is "a whole number including the currency exponent"; its table of
/// exponents could not be read. What has two digits in ISO 4217 is taken, and of the others what a public integration
/// that runs against Worldpay counts as ISO 4217 does. Where that integration differs from ISO 4217 (HUF, IDR, RSD),
/// or knows nothing, the currency is not taken: charging a hundred times the amount is worse than not charging.
package enum WorldpayCurrencies {
    /// Whether a currency is charged.
    package static func takes(_ currency: Currency) -> Bool {
        if otherExponents.contains(currency.code) { return true }
        return currency.exponent == 2 && !notTaken.contains(currency.code)
    }

    /// Whether an amount can be written: Worldpay counts in 32 bits, and 0 asks for no payment.
    package static func canExpress(_ minorUnits: Int64) -> Bool { 1...Int64(Int32.max) ~= minorUnits }

    /// For ``Capabilities``: nil for every currency that is not taken; the others are counted as in ISO 4217.
    package static let exponents: [String: Int?] = {
        var exponents: [String: Int?] = [:]
        for currency in Currency.all where !takes(currency) { exponents.updateValue(nil, forKey: currency.code) }
        return exponents
    }()

    private static let otherExponents: Set<String> = ["JPY", "KRW", "BHD", "KWD", "OMR", "TND"]

    /// Contradictions, funds codes and units of account, and a unit that is divided by five.
    private static let notTaken: Set<String> = [
        "HUF", "IDR", "RSD", "BOV", "CHE", "CHW", "COU", "MXV", "USN", "XAD", "MGA", "MRU",
    ]
}
