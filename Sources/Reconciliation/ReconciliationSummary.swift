package import Domain

/// What a reconciliation came to.
package struct ReconciliationSummary: Hashable, Sendable {
    /// The day that ages were counted to; nil if nothing named a day.
    package var asOf: CalendarDay?
    /// What became of the lines, in the order of the currencies' codes.
    package var currencies: [CurrencyTally] = []
    /// Rows that were no lines.
    package var unusableRows = 0
    /// Expectations that were looked at.
    package var expectations = 0
    /// Those that a line confirmed.
    package var met = 0
    /// Those that no line confirmed, not yet late or outside of the days that were asked for.
    package var waiting = 0
    /// Batches whose lines come to what they paid out.
    package var batchesInOrder = 0
    /// Batches with no payout line, or with lines that have no net amount: there is nothing to compare.
    package var batchesOpen = 0
    /// Batches that are not compared because rows of their file are unusable.
    package var batchesUnreadable = 0
    /// Entries of the bank.
    package var bankEntries = 0
    /// Those that are payouts of a PSP, or to a merchant.
    package var bankEntriesMatched = 0
    /// How many breaks there are of each type.
    package var breaks: [BreakType: Int] = [:]
}

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
