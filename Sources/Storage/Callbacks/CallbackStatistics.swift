package import Domain
package import SQL

/// How much waits, how much was given up, and how the endpoints are.
package struct CallbackStatistics: Hashable, Sendable {
    /// What is counted beyond this is not told apart from it: nobody needs to know, and counting takes time.
    package static let countLimit: Int64 = 100_000

    /// Callbacks that wait, at most ``countLimit``.
    package let waiting: Int64
    /// Dead letters, at most ``countLimit``.
    package let dead: Int64
    /// When the oldest callback that waits was written down.
    package let oldestWaiting: Timestamp?
    /// Endpoints that are sent to.
    package let enabledEndpoints: Int64
    /// Endpoints that nothing is sent to.
    package let disabledEndpoints: Int64
    /// Enabled endpoints whose last round brought nothing home.
    package let failingEndpoints: Int64
    /// The failures in a row of the enabled endpoints, added up.
    package let failures: Int64

    /// Takes it, over all marketplaces.
    ///
    /// - Throws: `SQLError`.
    package static func read(in session: any Session) throws(SQLError) -> CallbackStatistics {
        let integer = session.dialect.integerType
        func count(_ table: SQL) -> SQL {
            "SELECT CAST(COUNT(*) AS \(unsafeText: integer)) AS number FROM (\(table)) AS counted"
        }
        func sum(_ term: SQL) -> SQL { "CAST(COALESCE(SUM(\(term)), 0) AS \(unsafeText: integer))" }
        let (waiting, dead, oldest, endpoints) = try session.rows(
            count("SELECT id FROM callback WHERE due_at IS NOT NULL LIMIT \(Int64(countLimit))"),
            count("SELECT id FROM callback WHERE state = 'dead' LIMIT \(Int64(countLimit))"),
            "SELECT created_at FROM callback WHERE due_at IS NOT NULL ORDER BY created_at LIMIT 1",
            """
            SELECT \(sum("CASE WHEN state = 'enabled' THEN 1 ELSE 0 END")) AS enabled,
                \(sum("CASE WHEN state = 'disabled' THEN 1 ELSE 0 END")) AS disabled,
                \(sum("CASE WHEN state = 'enabled' AND failures > 0 THEN 1 ELSE 0 END")) AS failing,
                \(sum("CASE WHEN state = 'enabled' THEN failures ELSE 0 END")) AS failures
            FROM callback_endpoint
            """
        )
        return CallbackStatistics(
            waiting: try waiting.first?.integer("number") ?? 0,
            dead: try dead.first?.integer("number") ?? 0,
            oldestWaiting: try oldest.first?.time("created_at"),
            enabledEndpoints: try endpoints.first?.integer("enabled") ?? 0,
            disabledEndpoints: try endpoints.first?.integer("disabled") ?? 0,
            failingEndpoints: try endpoints.first?.integer("failing") ?? 0,
            failures: try endpoints.first?.integer("failures") ?? 0
        )
    }

    /// How much waits for each endpoint and how much was given up there, of a marketplace or of all.
    ///
    /// - Throws: `SQLError`.
    package static func counts(
        of marketplace: String?,
        in session: any Session
    ) throws(SQLError) -> [EndpointID: (waiting: Int64, dead: Int64)] {
        let integer = session.dialect.integerType
        let condition: SQL = marketplace.map { "AND marketplace = \($0)" } ?? ""
        let number: SQL = "CAST(COUNT(*) AS \(unsafeText: integer)) AS number"
        let (waiting, dead) = try session.rows(
            "SELECT endpoint_id, \(number) FROM callback WHERE due_at IS NOT NULL \(condition) GROUP BY endpoint_id",
            "SELECT endpoint_id, \(number) FROM callback WHERE state = 'dead' \(condition) GROUP BY endpoint_id"
        )
        var counts: [EndpointID: (waiting: Int64, dead: Int64)] = [:]
        for row in waiting {
            counts[try row.identifier("endpoint_id"), default: (0, 0)].waiting = try row.integer("number")
        }
        for row in dead {
            counts[try row.identifier("endpoint_id"), default: (0, 0)].dead = try row.integer("number")
        }
        return counts
    }

    /// When the oldest callback that waits for each endpoint of a marketplace was written down.
    ///
    /// - Throws: `SQLError`.
    package static func oldestWaiting(
        of marketplace: String,
        in session: any Session
    ) throws(SQLError) -> [EndpointID: Timestamp] {
        let rows = try session.rows(
            """
            SELECT endpoint_id, MIN(created_at) AS oldest FROM callback
            WHERE due_at IS NOT NULL AND marketplace = \(marketplace) GROUP BY endpoint_id
            """
        )
        var oldest: [EndpointID: Timestamp] = [:]
        for row in rows { oldest[try row.identifier("endpoint_id")] = try row.time("oldest") }
        return oldest
    }
}
