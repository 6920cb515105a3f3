import Domain

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
