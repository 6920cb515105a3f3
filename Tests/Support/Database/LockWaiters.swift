package import SQL

/// Transactions of a PostgreSQL database that wait for another.
package enum LockWaiters {
    /// How many wait now.
    ///
    /// - Throws: `SQLError`.
    package static func count(in database: any Database) async throws -> Int {
        try await database.read { session in
            try session.rows(
                "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
            ).count
        }
    }
}
