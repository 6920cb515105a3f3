/// The limits of the embedded engine.
package struct SQLiteLimits: Hashable, Sendable {
    /// Writes that share one commit; more than these wait for the next one.
    package var writesPerCommit = 64
    /// Writes that may wait for the writer; one more is answered ``SQLError/unavailable(_:)``.
    package var waitingWrites = 4_096
    /// Connections that read at the same time.
    package var readers = 4
    /// Statement texts that stay prepared on each connection; others are prepared each time.
    package var preparedStatements = 256
    /// How long a transaction waits for another process's lock before it is answered ``SQLError/unavailable(_:)``.
    package var busySeconds = 5.0

    /// The limits as written above.
    package init() {}
}
