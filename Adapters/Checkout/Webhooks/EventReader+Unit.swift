import Domain
import StrictJSON

extension EventReader {
    /// A currency and Checkout.com's unit of it.
    struct Unit {
        var currency: Currency
        var checkout: CheckoutUnit

        /// Looks up a currency; nil if Checkout.com does not take it.
        init?(_ code: String?) {
            guard let currency = code.flatMap({ Currency(code: $0) }), let checkout = CheckoutUnit(currency) else {
                return nil
            }
            self.currency = currency
            self.checkout = checkout
        }

        /// Minor units of an amount above 0; nil if it is none.
        func minorUnits(_ amount: JSON?) -> Int64? {
            amount?.integerValue.flatMap { $0 > 0 ? checkout.minorUnits($0) : nil }
        }
    }
}
