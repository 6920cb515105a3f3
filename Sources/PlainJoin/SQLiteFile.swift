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
