import SQL

/// A transaction's view of the embedded database.
///
/// Statements run at once; there is no round trip to save. SQLite would go on after a failed statement; the session refuses, as PostgreSQL does.
final class SQLiteSession: Session {
    let dialect = Dialect.sqlite
    private let statements: any StatementSource
    /// The error that ended the transaction; nothing more runs after it.
    private(set) var failure: SQLError?

    init(_ statements: any StatementSource) {
        self.statements = statements
    }

    /// A session on a connection, to be used on its queue.
    convenience init(_ connection: SQLiteConnection, _ admission: StatementAdmission) {
        self.init(ConnectionStatements(connection: connection, admission: admission))
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
        try perform(statement) { prepared in try prepared.rows(statement.values) }
    }

    func rows(_ statements: [SQL]) throws(SQLError) -> [[Row]] {
        var answers: [[Row]] = []
        for statement in statements { answers.append(try rows(statement)) }
        return answers
    }

    func run(_ statement: SQL) throws(SQLError) {
        try perform(statement) { prepared in try prepared.run(statement.values) }
    }

    func change(_ statement: SQL) throws(SQLError) -> Int {
        try perform(statement) { prepared in try prepared.change(statement.values) }
    }

    private func perform<Answer>(
        _ statement: SQL,
        _ use: (PreparedStatement) throws -> Answer
    ) throws(SQLError) -> Answer {
        guard failure == nil else { throw .broken("the session was used after its transaction or an error") }
        do {
            try statement.checkValues()
            return try use(try statements.statement(statement.text))
        } catch {
            let failure = SQLError(sqlite: error)
            self.failure = failure
            throw failure
        }
    }
}
