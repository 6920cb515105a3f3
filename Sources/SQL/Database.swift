/// A database that runs bodies, one transaction each.
///
/// Bodies are synchronous, so no call to a PSP can stand inside a transaction.
package protocol Database: Sendable {
    /// What differs between the engines.
    var dialect: Dialect { get }

    /// Runs `body` in a transaction that may write, and commits it durably before it returns.
    ///
    /// The body runs again, from the start, after a serialization failure or a deadlock, or where a write that shared
    /// its commit broke that commit: it must have no effect but on the session. If it throws, the transaction is rolled back.
    ///
    /// - Throws: what `body` throws, or ``SQLError`` from the commit.
    func write<Value: Sendable>(
        _ body: @escaping @Sendable (any Session) throws -> Value
    ) async throws -> Value

    /// Runs `body` on one consistent snapshot without writing.
    ///
    /// - Throws: what `body` throws.
    func read<Value: Sendable>(
        _ body: @escaping @Sendable (any Session) throws -> Value
    ) async throws -> Value

    /// The database's clock in microseconds since 1970, UTC.
    ///
    /// - Throws: ``SQLError``.
    func now() async throws -> Int64

    /// Rids the engine's log of rows that were deleted from tables that must not leave a trace: SQLite's is copied into
    /// the file and cut to nothing. PostgreSQL has nothing to do, because it does not log these tables.
    ///
    /// - Throws: ``SQLError/unavailable(_:)`` while somebody reads an older state; try again later.
    func scrub() async throws

    /// What transactions of any process say on a channel once they are committed (`pg_notify`), heard over a connection
    /// of its own, which all streams of a channel share, for as long as somebody reads one.
    ///
    /// A notification may be lost: while the connection is opened anew, or because nobody read for long. Behind a pooler that
    /// hands out connections for one transaction each (pgbouncer's transaction mode) none ever comes. So notifications only
    /// save waiting; whoever relies on what they tell also looks by itself, if seldom.
    ///
    /// - Parameter channel: small letters, digits and underscores.
    /// - Returns: nil where one process has the database to itself, as on SQLite, and on a database that is closed.
    func notifications(on channel: String) -> AsyncStream<DatabaseNotification>?
}

/// What a database tells whoever listens to a channel.
package enum DatabaseNotification: Hashable, Sendable {
    /// It listens from now on; what was said before was not heard.
    case listening
    /// A transaction was committed that said this.
    case said(String)
}

/// One transaction's view of the database.
///
/// Never leaves the body it was lent to.
package protocol Session {
    /// What differs between the engines.
    var dialect: Dialect { get }

    /// Runs a statement and answers its rows. What was queued by ``run(_:)`` goes out first, in the same round trip.
    ///
    /// - Throws: ``SQLError``; after it the transaction can only be rolled back.
    func rows(_ statement: SQL) throws(SQLError) -> [Row]

    /// Queries in one round trip; the answers in their order.
    ///
    /// - Throws: ``SQLError``; after it the transaction can only be rolled back.
    func rows(_ statements: [SQL]) throws(SQLError) -> [[Row]]

    /// Queues a statement. It goes out with the next read or with the commit; an error surfaces there.
    ///
    /// - Throws: ``SQLError`` at once for text with NUL, or if the engine runs it at once.
    func run(_ statement: SQL) throws(SQLError)

    /// Sends what is queued, then this statement, and answers how many rows it changed: for compare-and-set.
    ///
    /// - Throws: ``SQLError``; after it the transaction can only be rolled back.
    func change(_ statement: SQL) throws(SQLError) -> Int
}

extension Session {
    /// Two queries in one round trip, each answer in its own place.
    ///
    /// - Throws: ``SQLError``; after it the transaction can only be rolled back.
    package func rows(_ first: SQL, _ second: SQL) throws(SQLError) -> ([Row], [Row]) {
        let answers = try rows([first, second])
        return (answers[0], answers[1])
    }

    /// Three queries in one round trip, each answer in its own place.
    ///
    /// - Throws: ``SQLError``; after it the transaction can only be rolled back.
    package func rows(_ first: SQL, _ second: SQL, _ third: SQL) throws(SQLError) -> ([Row], [Row], [Row]) {
        let answers = try rows([first, second, third])
        return (answers[0], answers[1], answers[2])
    }

    /// Four queries in one round trip, each answer in its own place.
    ///
    /// - Throws: ``SQLError``; after it the transaction can only be rolled back.
    package func rows(
        _ first: SQL,
        _ second: SQL,
        _ third: SQL,
        _ fourth: SQL
    ) throws(SQLError) -> ([Row], [Row], [Row], [Row]) {
        let answers = try rows([first, second, third, fourth])
        return (answers[0], answers[1], answers[2], answers[3])
    }

    /// Runs five reads in one round trip.
    ///
    /// - Throws: ``SQLError``, also of any statement queued before.
    package func rows(
        _ first: SQL,
        _ second: SQL,
        _ third: SQL,
        _ fourth: SQL,
        _ fifth: SQL
    ) throws(SQLError) -> ([Row], [Row], [Row], [Row], [Row]) {
        let answers = try rows([first, second, third, fourth, fifth])
        return (answers[0], answers[1], answers[2], answers[3], answers[4])
    }
}

/// What went wrong, in words a repository can act on.
///
/// No parameter ever appears in a description.
package enum SQLError: Error, Hashable, Sendable {
    /// A unique constraint or index with that name (PostgreSQL) or those columns (SQLite) was violated.
    case uniqueViolation(constraint: String)
    /// Another constraint was violated: check, foreign key, not null.
    case constraintViolation(constraint: String)
    /// The transaction lost against another one and may be run again.
    case serializationFailure
    /// The server cannot be reached, is shutting down or has no room: try later.
    case unavailable(String)
    /// The statement or the schema is wrong, or the session is used after an error.
    case broken(String)
    /// A row has another shape than the reader expected.
    case unexpectedValue(column: String)

    /// There is no room on the database's disk: nothing can be written until somebody makes some.
    package static let diskFull = SQLError.unavailable("the database has no room on its disk")
}
