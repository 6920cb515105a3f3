/// One run of reconciliation, as breaks remember which run saw them last.
package struct BreakRun: Hashable, Sendable {
    /// What tells it from every other run.
    package let id: String
    /// The day that it looks back from, `YYYY-MM-DD`.
    package let asOf: String

    /// Names a run.
    package init(id: String, asOf: String) {
        self.id = id
        self.asOf = asOf
    }
}
