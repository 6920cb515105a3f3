/// A signed amount as a file of a PSP or bank has it, which may be finer than the currency's minor unit.
package struct ExactAmount: Hashable, Sendable {
    /// The most decimal digits.
    package static let decimalsLimit = 12

    /// The currency.
    package let currency: Currency
    /// The amount, counted in the ``decimals``-th decimal digit of the currency's major unit.
    package let units: Int64
    /// How many decimal digits ``units`` has: at least the currency's exponent, at most ``decimalsLimit``.
    package let decimals: Int

    /// Makes an amount; nil if it has fewer digits than the currency or more than ``decimalsLimit``, or cannot be
    /// negated.
    package init?(currency: Currency, units: Int64, decimals: Int) {
        guard (currency.exponent...Self.decimalsLimit).contains(decimals), units != .min else { return nil }
        self.currency = currency
        self.units = units
        self.decimals = decimals
    }

    /// The amount in minor units of ISO 4217; nil if it has a part that is smaller than one.
    package var minorUnits: Int64? {
        let divisor = Self.power(decimals - currency.exponent)
        return Int128(units) % divisor == 0 ? Int64(Int128(units) / divisor) : nil
    }

    /// The amount as decimal text: `"-12.34"`, `"1200"`, `"0.0125"`.
    package var decimal: String {
        let digits = String(units.magnitude)
        let sign = units < 0 ? "-" : ""
        guard decimals > 0 else { return sign + digits }
        let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
        return "\(sign)\(padded.dropLast(decimals)).\(padded.suffix(decimals))"
    }

    /// The decimal text, a space and the currency's code.
    package var text: String { "\(decimal) \(currency.code)" }

    /// Reads ``text``; nil for anything else.
    package init?(text: String) {
        let parts = text.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 2, let currency = Currency(code: String(parts[1])) else { return nil }
        let fraction = parts[0].firstIndex(of: ".").map { parts[0][parts[0].index(after: $0)...].utf8.count } ?? 0
        guard let units = Int64(parts[0].filter { $0 != "." }) else { return nil }
        self.init(currency: currency, units: units, decimals: fraction)
        guard self.text == text else { return nil }
    }

    /// The amount in trillionths of the major unit, which any two amounts have in common.
    var trillionths: Int128 { Int128(units) * Self.power(Self.decimalsLimit - decimals) }

    /// Ten to a power that is at least 0.
    static func power(_ exponent: Int) -> Int128 { (0..<exponent).reduce(1) { product, _ in product * 10 } }
}
