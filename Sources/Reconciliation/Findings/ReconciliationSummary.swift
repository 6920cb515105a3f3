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
