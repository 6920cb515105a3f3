import SQL

/// A transaction on one connection, in which writes wait to travel with the next read or the commit.
private final class PostgresSession: Session {
    /// Queued statements beyond which they are sent without waiting for a read or the commit.
    private static let queueLimit = 512

    let dialect = Dialect.postgres
    private let connection: PostgresConnection
    private let begin: SQL
    private var hasBegun = false
    private var queue: [SQL] = []
    /// The error that ended the transaction; nothing more runs after it.
    private(set) var failure: SQLError?

    /// `begin` opens the transaction, in the same round trip as its first statements.
    init(_ connection: PostgresConnection, begin: SQL) {
        self.connection = connection
        self.begin = begin
    }

    /// Refuses everything from now on.
    func end() {
        failure = failure ?? .broken("the transaction is over")
    }

    func rows(_ statement: SQL) throws(SQLError) -> [Row] { try send([statement], readingRows: true)[0].rows }

    func rows(_ statements: [SQL]) throws(SQLError) -> [[Row]] {
        statements.isEmpty ? [] : try send(statements, readingRows: true).map(\.rows)
    }

    func run(_ statement: SQL) throws(SQLError) {
        try check([statement])
        queue.append(statement)
        if queue.count >= PostgresSession.queueLimit { _ = try send([]) }
    }

    func change(_ statement: SQL) throws(SQLError) -> Int { try send([statement])[0].count }

    /// Sends what is queued together with the COMMIT.
    ///
    /// A transaction that sent nothing has nothing to commit.
    ///
    /// - Throws: ``SQLError``; after ``SQLError/unavailable(_:)`` it is not known whether it is committed.
    func commit() throws(SQLError) {
        if let failure { throw failure }
        guard hasBegun || !queue.isEmpty else { return }
        // The server answers ROLLBACK, without an error, to the COMMIT of a transaction that failed.
        guard try send(["COMMIT"])[0].tag == "COMMIT" else { throw .broken("PostgreSQL rolled the transaction back") }
    }

    /// Ends the server's transaction if one is open.
    ///
    /// A connection on which that fails is dropped by its worker.
    func rollBack() {
        queue = []
        guard hasBegun, connection.isUsable, !connection.isOutsideTransaction else { return }
        _ = try? connection.roundTrip(["ROLLBACK"])
    }

    /// Sends what is queued and then `statements`; answers the latter.
    private func send(_ statements: [SQL], readingRows: Bool = false) throws(SQLError) -> [Answer] {
        try check(statements)
        let sent = (hasBegun ? [] : [begin]) + queue + statements
        hasBegun = true
        queue = []
        do {
            let answers = try connection.roundTrip(sent, readingLast: readingRows ? statements.count : 0)
            return Array(answers.suffix(statements.count))
        } catch {
            failure = error
            throw error
        }
    }

    private func check(_ statements: [SQL]) throws(SQLError) {
        guard failure == nil else { throw .broken("the session was used after its transaction or an error") }
        do {
            for statement in statements { try statement.checkValues() }
        } catch {
            failure = error
            throw error
        }
    }
}

/// How a transaction begins and which isolation it has.
enum PostgresTransaction {
    /// Sees what others commit meanwhile; rows are locked or compared and set.
    case write
    /// One snapshot, changes refused.
    case read

    /// Lost against another transaction, with nothing stored: it may be run again.
    struct Lost: Error {}

    private var begin: SQL {
        switch self {
        case .write: SQL(stringLiteral: TransactionText.beginWriting)
        case .read: SQL(stringLiteral: TransactionText.beginReading)
        }
    }

    /// Runs a body and commits, then answers; a reader is answered before its transaction is ended.
    func run<Value: Sendable>(
        _ body: (any Session) throws -> Value,
        on connection: PostgresConnection,
        answering caller: CheckedContinuation<Value, any Error>
    ) {
        let session = PostgresSession(connection, begin: begin)
        defer { session.end() }
        do {
            let value = try body(session)
            switch self {
            case .write:
                try session.commit()
                caller.resume(returning: value)
            case .read:
                if let failure = session.failure { throw failure }
                caller.resume(returning: value)
                session.rollBack()
            }
        } catch {
            session.rollBack()
            caller.resume(throwing: session.failure == .serializationFailure ? Lost() : error)
        }
    }
}

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
    /// Has a connection hear what is said on a channel, whose name is small letters, digits and underscores.
    static func listen(to channel: String) -> SQL { "LISTEN \(unsafeText: channel)" }
    /// Makes room of what is gone from the tables, and has the planner count what is in them, as autovacuum does once a minute.
    package static let vacuum = "VACUUM (ANALYZE)"
}
