package import Domain

/// The unit in which Checkout.com counts a currency, which is ISO 4217's minor unit but for the Chilean peso.
///
/// Source: Checkout.com's page "Format the amount value", read in November 2026. The currencies are those of its .NET
/// library (August 2026); what an account may charge depends on its contract.
package struct CheckoutUnit: Hashable, Sendable {
    /// The code in capitals.
    package let code: String
    /// How many decimal digits an amount has at Checkout.com.
    package let exponent: Int

    /// How many of Checkout.com's units a minor unit of ISO 4217 is.
    private let scale: Int64

    /// No amount has more than nine digits.
    private static let greatestAmount: Int64 = 999_999_999

    /// The unit of a currency; nil if Checkout.com does not take it.
    package init?(_ currency: Currency) {
        guard !Self.notTaken.contains(currency.code) else { return nil }
        let isChileanPeso = currency.code == "CLP"
        code = currency.code
        exponent = isChileanPeso ? 2 : currency.exponent
        scale = isChileanPeso ? 100 : 1
    }

    /// The amount as Checkout.com counts it; nil if it cannot express it.
    ///
    /// The last digit of a three-digit amount must be 0.
    package func amount(_ minorUnits: Int64) -> Int64? {
        let (amount, overflowed) = minorUnits.multipliedReportingOverflow(by: scale)
        guard !overflowed, (0...Self.greatestAmount).contains(amount) else { return nil }
        return exponent == 3 && amount % 10 != 0 ? nil : amount
    }

    /// Minor units of ISO 4217 from an amount as Checkout.com counts it; nil if it is no whole number of them.
    package func minorUnits(_ amount: Int64) -> Int64? {
        amount >= 0 && amount % scale == 0 ? amount / scale : nil
    }

    /// For ``Capabilities``: the exponents that differ from ISO 4217's, and nil for what Checkout.com does not take.
    package static let exponents: [String: Int?] = {
        var exponents: [String: Int?] = [:]
        for currency in Currency.all where CheckoutUnit(currency)?.exponent != currency.exponent {
            exponents.updateValue(CheckoutUnit(currency)?.exponent, forKey: currency.code)
        }
        return exponents
    }()

    /// Not named by Checkout.com, and CLF, of whose unit its pages say different things.
    private static let notTaken: Set<String> = [
        "BOV", "CHE", "CHW", "CLF", "COU", "MXV", "SLE", "SSP", "USN", "UYI", "UYW", "VED", "VES", "XAD", "XCG", "ZWG",
    ]
}
