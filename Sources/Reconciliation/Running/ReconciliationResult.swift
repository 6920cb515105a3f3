package import Storage

/// What a reconciliation came to.
package struct ReconciliationResult: Sendable {
    /// The files.
    package var inputs: [ReconciledInput]
    /// The counts.
    package var summary: ReconciliationSummary
    /// What became of the breaks; nil in a dry run.
    package var recorded: BreakTable.Recorded?
    /// How many breaks of earlier runs are explained now.
    package var closed = 0
    /// How many journal entries were posted.
    package var entries = 0
}
