import SQL

/// Rows in statements of many, of which only two texts are ever made: the full one, and the last one's.
enum BulkInsert {
    /// How many rows a statement takes: more gain nothing, and the last statement's text should not be long.
    static let rowsPerStatement = 50

    /// Queues statements that insert `rows`.
    ///
    /// - Parameters:
    ///   - rows: the rows, all of one length.
    ///   - head: `INSERT INTO … (…)`.
    ///   - tail: what stands behind the rows.
    ///   - session: the transaction.
    /// - Throws: `SQLError`; much of it surfaces with the commit.
    static func run(_ rows: [[SQLValue]], _ head: SQL, _ tail: SQL = "", in session: any Session) throws(SQLError) {
        var start = 0
        while start < rows.count {
            let end = min(start + rowsPerStatement, rows.count)
            try session.run("\(head) VALUES \(rows: Array(rows[start..<end])) \(tail)")
            start = end
        }
    }
}
