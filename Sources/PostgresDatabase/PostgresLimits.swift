/// The limits of the PostgreSQL engine.
package struct PostgresLimits: Hashable, Sendable {
    /// Transactions that may wait for a connection; one more is answered unavailable at once.
    package var waitingTransactions = 4_096
    /// How long one may wait for a connection before it is answered unavailable.
    package var waitSeconds = 30
    /// Statement texts that stay prepared on each connection; the one unused longest makes room.
    package var preparedStatements = 256
    /// How often a transaction is run again after a serialization failure or a deadlock.
    package var serializationRetries = 10
    /// The first pause before running again; it doubles each time, and the half of it is random.
    package var retryPauseMilliseconds = 4
    /// The longest such pause.
    package var longestRetryPauseMilliseconds = 250
    /// How long the server works on one statement.
    package var statementMilliseconds = 30_000
    /// How long a statement waits for a lock.
    package var lockMilliseconds = 10_000
    /// How long the server keeps a transaction open that sends nothing.
    package var idleInTransactionMilliseconds = 60_000
    /// How long opening a connection may take, for each address of the server.
    package var connectSeconds = 5
    /// How long sent bytes may stay unacknowledged before the connection counts as lost.
    package var unacknowledgedMilliseconds = 15_000
    /// How long after a failed opening a connection answers unavailable without trying again.
    package var reconnectPauseMilliseconds = 500

    /// The limits as written above.
    package init() {}

    /// How long the server may say nothing while we wait for an answer; it breaks off a statement itself before that.
    var silenceMilliseconds: Int { statementMilliseconds + 5_000 }
}
