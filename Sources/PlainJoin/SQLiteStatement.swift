import GRDBSQLite

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
