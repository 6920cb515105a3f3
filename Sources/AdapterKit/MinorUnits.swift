public import Domain

/// Amounts of PSPs that do not count every currency as ISO 4217 does.
public enum MinorUnits {
    /// An amount that is counted with `from` decimal digits, counted with `to`.
    ///
    /// - Returns: nil if it is no whole number of those, or too large.
    public static func rescale(_ amount: Int64, from: Int, to: Int) -> Int64? {
        var amount = amount
        for _ in 0..<max(0, to - from) {
            let (scaled, overflowed) = amount.multipliedReportingOverflow(by: 10)
            guard !overflowed else { return nil }
            amount = scaled
        }
        for _ in 0..<max(0, from - to) {
            guard amount % 10 == 0 else { return nil }
            amount /= 10
        }
        return amount
    }

    /// For ``Capabilities``: what differs from ISO 4217.
    ///
    /// - Parameter digits: how many decimal digits a currency has at the PSP; nil for one that it does not take.
    /// - Returns: the digits of every currency for which they are not those of ISO 4217, by its code.
    public static func exponents(of digits: (Currency) -> Int?) -> [String: Int?] {
        var exponents: [String: Int?] = [:]
        for currency in Currency.all where digits(currency) != currency.exponent {
            exponents.updateValue(digits(currency), forKey: currency.code)
        }
        return exponents
    }
}
