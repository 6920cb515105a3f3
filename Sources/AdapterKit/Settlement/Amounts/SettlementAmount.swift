public import Domain

/// A signed amount of money, exactly as a PSP's report has it.
///
/// It may be finer than the currency's minor unit: PSPs list fees with up to eight decimal digits and round only what
/// they pay out. Equal amounts are equal whatever number of zeros the report writes.
public struct SettlementAmount: Hashable, Sendable, CustomStringConvertible {
    /// The most decimal digits of an amount; Checkout.com writes up to eight.
    public static let decimalsLimit = 12

    /// The currency the amount is in.
    public let currency: Currency
    /// The amount, counted in the ``decimals``-th decimal digit of the currency's major unit.
    ///
    /// From `-Int64.max` to `Int64.max`, so that every amount can be negated.
    public let units: Int64
    /// How many decimal digits ``units`` has: the currency's exponent, or as many more as the amount needs.
    public let decimals: Int

    /// Makes an amount of whole minor units of ISO 4217.
    ///
    /// - Throws: ``AmountProblem/overflow`` for `Int64.min`.
    public init(minorUnits: Int64, currency: Currency) throws(AmountProblem) {
        guard minorUnits != .min else { throw .overflow }
        self.init(units: minorUnits, decimals: currency.exponent, currency: currency)
    }

    init(units: Int64, decimals: Int, currency: Currency) {
        self.units = units
        self.decimals = decimals
        self.currency = currency
    }

    /// The amount in minor units of ISO 4217; nil if it has a part that is smaller than one.
    public var minorUnits: Int64? { decimals == currency.exponent ? units : nil }

    /// The amount as decimal text with at least the currency's digits: `"-12.34"`, `"1200"`, `"0.0125"`.
    public var decimal: String {
        let digits = String(units.magnitude)
        let sign = units < 0 ? "-" : ""
        guard decimals > 0 else { return sign + digits }
        let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
        return "\(sign)\(padded.dropLast(decimals)).\(padded.suffix(decimals))"
    }

    /// The decimal text and the currency's code.
    public var description: String { "\(decimal) \(currency.code)" }
}
