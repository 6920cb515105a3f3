/// What goes over the wire around a transaction's statements, for measurements that send the same by other means.
package enum TransactionText {
    /// Begins a transaction that may write.
    package static let beginWriting = "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE"
    /// Begins a snapshot.
    package static let beginReading = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
    /// Ends a transaction that wrote.
    package static let commit = "COMMIT"
    /// Ends a snapshot.
    package static let rollBack = "ROLLBACK"
    /// Makes the planner count what is in the tables.
    package static let analyze = "ANALYZE"
}
