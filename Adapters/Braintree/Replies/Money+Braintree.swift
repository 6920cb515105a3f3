import Domain
import StrictJSON

/// Reading Braintree's amounts.
extension Money {
    /// Reads a `MonetaryAmount`, decimal text and a currency; nil if it is none.
    init?(braintree json: JSON) {
        guard let value = json["value"]?.stringValue, let code = json["currencyCode"]?.stringValue else { return nil }
        self.init(braintree: value, code)
    }

    /// Reads decimal text in the currency of that code; nil if it is no amount.
    init?(braintree value: String, _ code: String) {
        guard let currency = Currency(code: code), let money = try? Money(decimal: value, currency: currency) else {
            return nil
        }
        self = money
    }
}
