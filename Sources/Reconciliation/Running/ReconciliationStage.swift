/// Where a reconciliation is, for whoever waits.
package enum ReconciliationStage: Hashable, Sendable {
    /// A file is read: which, how far, and how many rows so far.
    case reading(path: String, bytes: Int64, of: Int64, rows: Int)
    /// Our own side is read.
    case expecting(count: Int)
    /// Both sides are matched: what was found so far.
    case matching(matches: Int, breaks: Int)
}
