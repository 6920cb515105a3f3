import GRDBSQLite

/// A SQLite file, spoken to without a layer between: what is measured is SQLite, not ours or GRDB's handling of values.
@safe final class SQLiteFile {
    private let connection: OpaquePointer

    /// Opens or makes a file.
    ///
    /// - Throws: ``PlainJoinProblem``.
    init(path: String) throws(PlainJoinProblem) {
        var opened: OpaquePointer?
        let code = unsafe sqlite3_open(path, &opened)
        guard code == SQLITE_OK, let opened = unsafe opened else {
            unsafe sqlite3_close(opened)
            throw PlainJoinProblem(code: code)
        }
        unsafe connection = opened
    }

    deinit { unsafe sqlite3_close_v2(connection) }

    /// Runs statements that answer nothing.
    ///
    /// - Throws: ``PlainJoinProblem``.
    func execute(_ statements: String) throws(PlainJoinProblem) {
        let code = unsafe sqlite3_exec(connection, statements, nil, nil, nil)
        guard code == SQLITE_OK else { throw PlainJoinProblem(code: code) }
    }

    /// Prepares a statement.
    ///
    /// - Throws: ``PlainJoinProblem``.
    func prepare(_ statement: String) throws(PlainJoinProblem) -> SQLiteStatement {
        var prepared: OpaquePointer?
        let code = unsafe sqlite3_prepare_v2(connection, statement, -1, &prepared, nil)
        guard code == SQLITE_OK, let prepared = unsafe prepared else { throw PlainJoinProblem(code: code) }
        return unsafe SQLiteStatement(owning: prepared)
    }

    /// The first column of what a query answers.
    ///
    /// - Throws: ``PlainJoinProblem``.
    func texts(_ query: String) throws(PlainJoinProblem) -> [String] {
        let statement = try prepare(query)
        var texts: [String] = []
        while let text = try statement.nextText() { texts.append(text) }
        return texts
    }
}

/// A prepared statement, bound value by value from the left.
@safe final class SQLiteStatement {
    /// Has SQLite copy a text, since it is gone when the call returns.
    private static let copied = unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)

    private let statement: OpaquePointer
    private var place: Int32 = 0

    init(owning statement: OpaquePointer) { unsafe self.statement = statement }

    deinit { unsafe sqlite3_finalize(statement) }

    /// Binds the next value; NULL for nil.
    func bind(_ value: Int64?) {
        place += 1
        if let value { unsafe sqlite3_bind_int64(statement, place, value) } else { bindNull() }
    }

    /// Binds the next value; NULL for nil.
    func bind(_ text: String?) {
        place += 1
        if let text { unsafe sqlite3_bind_text(statement, place, text, -1, Self.copied) } else { bindNull() }
    }

    private func bindNull() { unsafe sqlite3_bind_null(statement, place) }

    /// Runs it, and makes it ready for the next values.
    ///
    /// - Throws: ``PlainJoinProblem``.
    func run() throws(PlainJoinProblem) {
        place = 0
        let code = unsafe sqlite3_step(statement)
        unsafe sqlite3_reset(statement)
        guard code == SQLITE_DONE else { throw PlainJoinProblem(code: code) }
    }

    /// The first column of the next row; nil behind the last.
    ///
    /// - Throws: ``PlainJoinProblem``.
    func nextText() throws(PlainJoinProblem) -> String? {
        let code = unsafe sqlite3_step(statement)
        guard code == SQLITE_ROW else {
            guard code == SQLITE_DONE else { throw PlainJoinProblem(code: code) }
            return nil
        }
        guard let text = unsafe sqlite3_column_text(statement, 0) else { return "" }
        return unsafe String(cString: text)
    }
}
