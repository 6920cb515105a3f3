import Synchronization

import class GRDB.DatabaseQueue

/// Where a session has its statements prepared.
protocol StatementSource {
    /// A prepared statement, which nobody uses at the moment.
    ///
    /// - Throws: the engine's error.
    func statement(_ text: String) throws -> PreparedStatement
}

/// Which statement texts stay prepared: the first so many that are seen, so that a connection's cache has a bound.
///
/// The texts a gateway runs are few and all seen early; what comes later (a long `IN` list) is prepared each time.
final class StatementAdmission: Sendable {
    private let limit: Int
    /// The texts, with their columns.
    private let admitted = Mutex<[String: SharedColumns]>([:])

    init(limit: Int) {
        self.limit = limit
    }

    /// A prepared statement, from the connection's cache if its text is admitted.
    ///
    /// - Throws: the engine's error.
    func statement(_ text: String, on connection: SQLiteConnection) throws -> PreparedStatement {
        let columns: SharedColumns? = admitted.withLock { texts in
            if let columns = texts[text] { return columns }
            guard texts.count < limit else { return nil }
            let columns = SharedColumns()
            texts[text] = columns
            return columns
        }
        guard let columns else { return PreparedStatement(try connection.makeStatement(sql: text), SharedColumns()) }
        return PreparedStatement(try connection.cachedStatement(sql: text), columns)
    }
}

/// The statements of one of several connections.
struct ConnectionStatements: StatementSource {
    /// The connection, on whose queue they are prepared.
    let connection: SQLiteConnection
    /// Which of them stay prepared.
    let admission: StatementAdmission

    func statement(_ text: String) throws -> PreparedStatement { try admission.statement(text, on: connection) }
}

/// The statements of a connection that is the only one to its database: the first so many texts stay prepared.
final class KeptStatements: StatementSource {
    private let queue: DatabaseQueue
    private let limit: Int
    private var kept: [Text: PreparedStatement] = [:]

    /// A statement's text, hashed by its length: texts are long, and few have the same.
    private struct Text: Hashable {
        let text: String

        func hash(into hasher: inout Hasher) { hasher.combine(text.utf8.count) }
    }

    init(_ queue: DatabaseQueue, limit: Int) {
        self.queue = queue
        self.limit = limit
    }

    func statement(_ text: String) throws -> PreparedStatement {
        let key = Text(text: text)
        if let statement = kept[key] { return statement }
        let prepared = try queue.unsafeReentrantWrite { connection in try connection.makeStatement(sql: text) }
        let statement = PreparedStatement(prepared, SharedColumns())
        if kept.count < limit { kept[key] = statement }
        return statement
    }
}
