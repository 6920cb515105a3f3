/// What an operator asks to be reconciled.
package struct ReconciliationRequest: Hashable, Sendable {
    /// The files, in the order in which they were named.
    package var paths: [String]
    /// Whose books.
    package var marketplace: String
    /// The PSP account that settlement reports are of, or a PSP that the marketplace has one account at; nil if the
    /// report's format says enough.
    package var psp: String?
    /// The name of the format that all files are in; nil to look at them.
    package var format: String?
    /// Which days, in which calendar, counted to which day, how exactly.
    package var scope = ReconciliationScope()
    /// Whether nothing is stored and nothing is posted.
    package var isDryRun = false
    /// Whether files that were taken in before are no mistake.
    package var allowsKnownFiles = false
    /// Whether a file may end inside its last line.
    package var allowsUnterminated = false

    /// Makes a request.
    package init(paths: [String], marketplace: String) {
        self.paths = paths
        self.marketplace = marketplace
    }
}
