import SQL
import Synchronization

import struct GRDB.DatabaseValue
import class GRDB.RowCursor
import class GRDB.Statement
import struct GRDB.StatementArguments

/// A transaction's view of the embedded database.
///
/// Statements run at once; there is no round trip to save. SQLite would go on after a failed statement; the session refuses, as PostgreSQL does.
final class SQLiteSession: Session {
    let dialect = Dialect.sqlite
    private let connection: SQLiteConnection
    private let statements: StatementAdmission
    /// The error that ended the transaction; nothing more runs after it.
    private(set) var failure: SQLError?

    init(_ connection: SQLiteConnection, _ statements: StatementAdmission) {
        self.connection = connection
        self.statements = statements
    }

    /// Runs a body once; afterwards the session refuses everything.
    ///
    /// - Throws: what the body throws, or the error of a statement that the body chose to ignore.
    func carry<Value>(_ body: (any Session) throws -> Value) throws -> Value {
        defer { failure = failure ?? .broken("the transaction is over") }
        let value = try body(self)
        if let failure { throw failure }
        return value
    }

    func rows(_ statement: SQL) throws(SQLError) -> [Row] {
        try perform(statement) { prepared in
            let (names, columns) = statements.columns(of: prepared, statement.text)
            let cursor = try SQLiteRow.fetchCursor(prepared)
            var rows: [Row] = []
            while let row = try cursor.next() {
                let values = try names.indices.map { index in
                    try SQLValue(row[index] as DatabaseValue, column: names[index])
                }
                rows.append(Row(columns: columns, values: values))
            }
            return rows
        }
    }

    func rows(_ statements: [SQL]) throws(SQLError) -> [[Row]] {
        var answers: [[Row]] = []
        for statement in statements { answers.append(try rows(statement)) }
        return answers
    }

    func run(_ statement: SQL) throws(SQLError) {
        try perform(statement) { prepared in try prepared.execute() }
    }

    func change(_ statement: SQL) throws(SQLError) -> Int {
        try perform(statement) { prepared in
            let before = connection.totalChangesCount
            try prepared.execute()
            // A statement that changes nothing may leave the count of the one before it.
            return connection.totalChangesCount == before ? 0 : connection.changesCount
        }
    }

    private func perform<Answer>(
        _ statement: SQL,
        _ use: (Statement) throws -> Answer
    ) throws(SQLError) -> Answer {
        guard failure == nil else { throw .broken("the session was used after its transaction or an error") }
        do {
            try statement.checkValues()
            let prepared = try statements.statement(statement.text, on: connection)
            try prepared.setArguments(StatementArguments(statement.values.map(\.databaseValue)))
            return try use(prepared)
        } catch {
            let failure = SQLError(sqlite: error)
            self.failure = failure
            throw failure
        }
    }
}

/// Which statement texts stay prepared: the first so many that are seen, so that a connection's cache has a bound.
///
/// The texts a gateway runs are few and all seen early; what comes later (a long `IN` list) is prepared each time.
final class StatementAdmission: Sendable {
    /// The columns that a statement's answers have.
    typealias Columns = (names: [String], shared: Row.Columns)

    private let limit: Int
    /// The texts, with their columns once they were asked for.
    private let admitted = Mutex<[String: Columns?]>([:])

    init(limit: Int) {
        self.limit = limit
    }

    /// The columns of a statement's answers, by its text.
    ///
    /// A migration can add some to those that a text with `*` gives.
    func columns(of statement: Statement, _ text: String) -> Columns {
        let known = admitted.withLock { $0[text] ?? nil }
        if let known, known.names.count == statement.columnCount { return known }
        let names = statement.columnNames
        let columns = (names: names, shared: Row.Columns(names))
        admitted.withLock { texts in
            if texts[text] != nil { texts[text] = .some(columns) }
        }
        return columns
    }

    /// A prepared statement, from the connection's cache if its text is admitted.
    ///
    /// - Throws: the engine's error.
    func statement(_ text: String, on connection: SQLiteConnection) throws -> Statement {
        let isAdmitted = admitted.withLock { texts in
            if texts[text] != nil { return true }
            guard texts.count < limit else { return false }
            texts[text] = .some(nil)
            return true
        }
        return isAdmitted ? try connection.cachedStatement(sql: text) : try connection.makeStatement(sql: text)
    }
}
