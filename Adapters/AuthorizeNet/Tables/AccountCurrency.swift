package import Domain
import StrictJSON

/// The currencies that an account can be in.
///
/// Which of them depends on its processor. Each has two decimal digits, at Authorize.Net as in ISO 4217.
package enum AccountCurrency {
    private static let taken: Set<String> = [
        "AUD", "CAD", "CHF", "DKK", "EUR", "GBP", "NOK", "NZD", "PLN", "SEK", "USD",
    ]

    /// The currency with that code; nil if Authorize.Net does not take it.
    package static func currency(_ code: String) -> Currency? {
        taken.contains(code) ? Currency(code: code) : nil
    }

    /// For ``Capabilities``: nil for what Authorize.Net does not take.
    package static let exponents: [String: Int?] = {
        var exponents: [String: Int?] = [:]
        for currency in Currency.all where !taken.contains(currency.code) {
            exponents.updateValue(nil, forKey: currency.code)
        }
        return exponents
    }()

    /// Minor units of a decimal amount, which replies write as a number and now and then as text; nil if it is none.
    static func minorUnits(_ json: JSON?, in currency: Currency) -> Int64? {
        let text: String? =
            switch json {
            case .integer(let value): String(value)
            case .number(let text), .string(let text): text
            default: nil
            }
        return text.flatMap { try? Money(decimal: $0, currency: currency) }?.minorUnits
    }
}
