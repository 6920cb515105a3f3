/// A sum of exact amounts of one currency, rounded only once: when it is posted.
package struct ExactSum: Hashable, Sendable {
    private var trillionths: Int128 = 0

    /// A sum of nothing.
    package init() {}

    /// Adds `units` of the `decimals`-th decimal digit, which may be a sum themselves.
    ///
    /// - Precondition: `decimals` is 0 to ``ExactAmount/decimalsLimit``. No sum of 64 bits overflows it.
    package mutating func add(_ units: Int64, decimals: Int) {
        trillionths += Int128(units) * ExactAmount.power(ExactAmount.decimalsLimit - decimals)
    }

    /// Adds another sum.
    package static func += (sum: inout ExactSum, other: ExactSum) { sum.trillionths += other.trillionths }

    /// The sum in minor units, halves away from zero; nil if it does not fit 64 bits.
    package func minorUnits(of currency: Currency) -> Int64? {
        let divisor = ExactAmount.power(ExactAmount.decimalsLimit - currency.exponent)
        let half = trillionths < 0 ? -(divisor / 2) : divisor / 2
        return Int64(exactly: (trillionths + half) / divisor)
    }
}
