package import SQL
import Synchronization

/// The engine that several processes share: a PostgreSQL server, reached over a fixed number of connections.
///
/// Each connection has a thread of its own, on which bodies run. A transaction that has begun is carried to its end
/// even if its task is canceled; the server's limits bound how long that takes. A channel that somebody listens to has a
/// connection and a thread more.
package final class PostgresDatabase: Database {
    package let dialect = Dialect.postgres
    /// Where the database is.
    package let url: PostgresURL
    /// How many connections it holds at most, but for those that listen.
    package let connections: Int
    private let limits: PostgresLimits
    private let queue: JobQueue
    /// What hears channels, by their names; nil once the database is closed.
    private let listeners = Mutex<[(channel: String, listener: NotificationListener)]?>([])

    /// Takes note of the server; connections are opened as they are needed.
    ///
    /// - Throws: ``SQLError/broken(_:)`` if the URL cannot be read, or leads over a network in the clear and does not
    ///   say so.
    package init(
        url: String,
        connections: Int,
        limits: PostgresLimits = PostgresLimits()
    ) throws(SQLError) {
        precondition(connections > 0, "a pool without connections serves nobody")
        self.url = try PostgresURL(url)
        try self.url.requireProtection()
        self.limits = limits
        self.connections = connections
        queue = JobQueue(limit: limits.waitingTransactions, workers: connections)
        for _ in 0..<connections { ConnectionWorker.start(self.url, limits, queue) }
    }

    deinit {
        queue.close()
        for known in listeners.withLock({ $0 }) ?? [] { known.listener.end() }
    }

    package func write<Value: Sendable>(
        _ body: @escaping @Sendable (any Session) throws -> Value
    ) async throws -> Value {
        try await transaction(.write, body)
    }

    package func read<Value: Sendable>(
        _ body: @escaping @Sendable (any Session) throws -> Value
    ) async throws -> Value {
        try await transaction(.read, body)
    }

    /// How many transactions wait for a connection at the moment.
    package var waitingTransactions: Int { queue.count }

    /// How many connections serve a transaction at the moment.
    package var connectionsInUse: Int { queue.served }

    package func now() async throws -> Int64 {
        let answer = try await runOutsideTransaction(
            "SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000 AS BIGINT) AS now"
        )
        guard let row = answer.first else { throw SQLError.broken("PostgreSQL did not tell the time") }
        return try row.integer("now")
    }

    package func scrub() {}

    package func notifications(on channel: String) -> AsyncStream<DatabaseNotification>? {
        listeners.withLock { listeners in
            guard listeners != nil else { return nil }
            listeners?.removeAll { $0.listener.isOver }
            for (known, listener) in listeners ?? [] where known == channel {
                if let stream = listener.read() { return stream }
            }
            guard let listener = NotificationListener(url, limits, channel: channel) else { return nil }
            listeners?.append((channel, listener))
            let stream = listener.read()
            listener.start()
            return stream
        }
    }

    /// Runs one statement by itself, for what no transaction may hold: `CREATE DATABASE`, `VACUUM`.
    ///
    /// - Throws: ``SQLError``; after ``SQLError/unavailable(_:)`` it is not known whether it was done.
    @discardableResult
    package func runOutsideTransaction(_ statement: SQL) async throws -> [Row] {
        try statement.checkValues()
        return try await withConnection { connection, caller in
            caller.resume(with: Result { try connection.roundTrip([statement], readingLast: 1)[0].rows })
        }
    }

    /// Takes no more transactions and returns when those accepted are done and the connections closed.
    package func close() async {
        queue.close()
        let listeners = (listeners.withLock { $0.take() } ?? []).map(\.listener)
        for listener in listeners { listener.end() }
        await queue.allEnded()
        for listener in listeners { await listener.ended() }
    }

    private func transaction<Value: Sendable>(
        _ kind: PostgresTransaction,
        _ body: @escaping @Sendable (any Session) throws -> Value
    ) async throws -> Value {
        for retry in 0...limits.serializationRetries {
            if retry > 0 { try? await Task.sleep(for: pause(beforeRetry: retry)) }
            do {
                return try await withConnection { connection, caller in
                    kind.run(body, on: connection, answering: caller)
                }
            } catch is PostgresTransaction.Lost {
                continue
            }
        }
        throw SQLError.serializationFailure
    }

    /// Doubles with each retry up to a limit; half of it is random, so that two that collided part.
    private func pause(beforeRetry retry: Int) -> Duration {
        let longest = limits.longestRetryPauseMilliseconds
        let doubled = min(longest, limits.retryPauseMilliseconds << min(retry - 1, 16))
        return .microseconds(doubled * 500 + Int.random(in: 0...(doubled * 500)))
    }

    private func withConnection<Value: Sendable>(
        _ work: @escaping @Sendable (PostgresConnection, CheckedContinuation<Value, any Error>) -> Void
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { caller in
            queue.add(
                ConnectionJob(
                    deadline: .now + .seconds(limits.waitSeconds),
                    run: { connection in work(connection, caller) },
                    refuse: { failure in caller.resume(throwing: failure) }
                )
            )
        }
    }
}

/// The limits of the PostgreSQL engine.
package struct PostgresLimits: Hashable, Sendable {
    /// Transactions that may wait for a connection; one more is answered unavailable at once.
    package var waitingTransactions = 4_096
    /// How long one may wait for a connection before it is answered unavailable.
    package var waitSeconds = 30
    /// Statement texts that a connection prepares before another one takes its place.
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
    /// The longest pause before a lost connection that listens is opened anew; it doubles up to that.
    package var longestListeningPauseMilliseconds = 10_000
    /// Notifications that wait to be read; of more the oldest are lost.
    package var waitingNotifications = 4_096

    /// The limits as written above.
    package init() {}

    /// How long the server may say nothing while we wait for an answer; it breaks off a statement itself before that.
    ///
    /// A server that is frozen breaks nothing off: then the connection is given up, and never used again.
    var silenceMilliseconds: Int { statementMilliseconds + 2_000 }
}
