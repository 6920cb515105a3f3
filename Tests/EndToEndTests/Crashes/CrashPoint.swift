/// Where a gateway dies.
struct CrashPoint: Hashable, Sendable, CustomStringConvertible {
    /// The kinds of places, as the crashing gateway names them.
    enum Moment: String, CaseIterable {
        /// A transaction's statements are with the database, its commit is not.
        case beforeCommit = "before_commit"
        /// A transaction is committed, and nobody has been told.
        case afterCommit = "after_commit"
        /// A request to a PSP is written, and has not left.
        case beforeSend = "before_send"
        /// A PSP has answered, and nobody has been told.
        case afterSend = "after_send"
    }

    /// The kind of place.
    var moment: Moment
    /// How many times it comes by such a place; it dies the last time.
    var number: Int

    var description: String { "\(moment.rawValue) \(number)" }
}
