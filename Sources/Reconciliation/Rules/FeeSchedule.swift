package import Domain

/// What a PSP agreed to take of a payment.
package struct FeeSchedule: Hashable, Sendable {
    /// Of the amount, in hundredths of a percent, 0 to 10,000.
    package let basisPoints: Int64
    /// A fixed part of each payment, in minor units, by currency; a currency that is not there has none.
    package let fixed: [Currency: Int64]
    /// By how many minor units a fee may differ, from 0.
    package let toleranceMinorUnits: Int64

    /// Makes a schedule; nil if a value is out of its range.
    package init?(basisPoints: Int64, fixed: [Currency: Int64] = [:], toleranceMinorUnits: Int64 = 0) {
        let range = 0...ReconciliationRule.toleranceLimit
        guard 0...10_000 ~= basisPoints, range ~= toleranceMinorUnits, fixed.values.allSatisfy({ range ~= $0 }) else {
            return nil
        }
        self.basisPoints = basisPoints
        self.fixed = fixed
        self.toleranceMinorUnits = toleranceMinorUnits
    }

    /// The agreed fee of an amount, in minor units, rounded half up once.
    func fee(ofMinorUnits amount: Int64, _ currency: Currency) -> Int64 {
        let part = (Int128(amount.magnitude) * Int128(basisPoints) + 5_000) / 10_000
        return Int64(clamping: part + Int128(fixed[currency] ?? 0))
    }
}
