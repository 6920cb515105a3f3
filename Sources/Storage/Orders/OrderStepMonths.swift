package import Domain
package import SQL

/// The months that the history of orders is divided into on PostgreSQL, by when orders were placed; SQLite has none.
package enum OrderStepMonths {
    /// What came of making a month's partition.
    package enum Result: String, Sendable {
        /// It was made.
        case made
        /// Somebody had made it before.
        case there
        /// Rows of the month stand in the default partition, where they stay, and so will the others of that month.
        case occupied
    }

    /// How many months are made ahead of the present one.
    package static let ahead: Int64 = 3

    /// How long making a partition may wait for a lock, and how long it may take: whoever needs the default partition
    /// waits for it.
    private static let patience = (lock: "100ms", statement: "3s")

    /// The months without a partition of their own, the present one being 0, up to ``ahead``.
    ///
    /// - Throws: `SQLError`.
    package static func missing(at now: Timestamp, in session: any Session) throws(SQLError) -> [Int64] {
        guard session.dialect == .postgres else { return [] }
        return try session.rows(
            """
            SELECT CAST(later AS BIGINT) AS later FROM generate_series(CAST(0 AS BIGINT), CAST(\(ahead) AS BIGINT)) AS later
            WHERE to_regclass(order_step_partition(order_step_month(CAST(\(now) AS BIGINT), later))) IS NULL
            ORDER BY later
            """
        ).map { row throws(SQLError) in try row.integer("later") }
    }

    /// Makes the partition of a month.
    ///
    /// - Parameters:
    ///   - later: how many months after the present one.
    ///   - now: the moment.
    ///   - session: a transaction that does nothing else.
    /// - Returns: the partition's name, and what came of it.
    /// - Throws: `SQLError`, also if others keep it waiting for too long.
    package static func add(
        later: Int64,
        at now: Timestamp,
        in session: any Session
    ) throws(SQLError) -> (name: String, result: Result) {
        try session.run("SET LOCAL lock_timeout = '\(unsafeText: patience.lock)'")
        try session.run("SET LOCAL statement_timeout = '\(unsafeText: patience.statement)'")
        let month: SQL = "order_step_month(CAST(\(now) AS BIGINT), CAST(\(later) AS BIGINT))"
        let rows = try session.rows(
            "SELECT order_step_partition(\(month)) AS name, add_order_step_month(\(month)) AS result"
        )
        guard let row = rows.first else { throw .unexpectedValue(column: "result") }
        return (try row.text("name"), try row.word("result"))
    }
}
