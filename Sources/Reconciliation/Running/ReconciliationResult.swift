package import Domain
package import Storage

/// What a reconciliation came to.
package struct ReconciliationResult: Sendable {
    /// The files.
    package var inputs: [ReconciledInput]
    /// The counts.
    package var summary: ReconciliationSummary
    /// When the books were looked at first.
    package var startedAt: Timestamp
    /// The first day that a file names; nil if none does.
    package var firstDay: CalendarDay?
    /// What came to count; nil in a dry run.
    package var outcome: Outcome?

    /// What a run changed.
    package struct Outcome: Hashable, Sendable {
        /// What became of the breaks.
        package var recorded = BreakTable.Recorded()
        /// How many breaks of earlier runs are explained now.
        package var closed = 0
        /// How many journal entries were posted.
        package var entries = 0
    }
}
