package import Domain

/// What became of the lines of one currency: each is counted once.
///
/// A line counts with what it is compared by: what the buyer paid, else the gross amount, else the net.
package struct CurrencyTally: Hashable, Sendable {
    /// Lines and what they come to.
    package struct Share: Hashable, Sendable {
        /// How many.
        package var count = 0
        /// Their sum in units of 10⁻¹² of the major unit.
        package var trillionths: Int128 = 0

        /// Counts an amount; false if the sum does not fit.
        mutating func add(_ amount: Int128) -> Bool {
            count += 1
            let (sum, overflow) = trillionths.addingReportingOverflow(amount)
            trillionths = sum
            return !overflow
        }
    }

    /// The currency.
    package let currency: Currency
    /// All lines.
    package var lines = Share()
    /// Lines that confirm an expectation, or a commission.
    package var matched = Share()
    /// Lines that stand in a break.
    package var broken = Share()
    /// Lines that no expectation is for: fees, adjustments, payouts, reserves, and commissions of nothing in particular.
    package var explained = Share()
}
