import AdapterKit
import Domain

/// Amounts of one currency on one scale: units of 10⁻¹² of the major unit, of which every amount is a whole number.
enum Scale {
    private static let powers: [Int128] = (0...SettlementAmount.decimalsLimit).map { exponent in
        (0..<exponent).reduce(1) { power, _ in power * 10 }
    }

    static func trillionths(_ units: Int64, decimals: Int) -> Int128 {
        Int128(units) * powers[SettlementAmount.decimalsLimit - decimals]
    }

    static func trillionths(minorUnits: Int64, _ currency: Currency) -> Int128 {
        trillionths(minorUnits, decimals: currency.exponent)
    }

    /// One minor unit.
    static func minorUnit(_ currency: Currency) -> Int128 { trillionths(1, decimals: currency.exponent) }

    /// Minor units, rounded away from zero, so that no difference looks like none; clamped to 64 bits.
    static func minorUnits(_ trillionths: Int128, _ currency: Currency) -> Int64 {
        let (quotient, remainder) = trillionths.quotientAndRemainder(dividingBy: minorUnit(currency))
        return Int64(clamping: quotient + remainder.signum())
    }

    /// The amount of minor units.
    static func amount(minorUnits: Int64, _ currency: Currency) -> SettlementAmount {
        (try? SettlementAmount(minorUnits: max(minorUnits, -.max), currency: currency)) ?? .zero(currency)
    }

    /// The amount; clamped to whole minor units where it does not fit.
    static func amount(_ trillionths: Int128, _ currency: Currency) -> SettlementAmount {
        if let amount = try? SettlementAmount(trillionths: trillionths, currency: currency) { return amount }
        return amount(minorUnits: minorUnits(trillionths, currency), currency)
    }
}
