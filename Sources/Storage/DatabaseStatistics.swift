package import SQL

/// What a PostgreSQL database has counted so far of itself; for measurements.
package struct DatabaseStatistics: Hashable, Sendable {
    /// Rows that were inserted into tables.
    package let inserted: Int64
    /// Rows that were updated.
    package let updated: Int64
    /// Of these, how many without touching an index.
    package let hot: Int64
    /// Rows that were deleted.
    package let deleted: Int64
    /// The length of the write-ahead log of the whole server, in bytes.
    package let walBytes: Int64
    /// The size of the database's files, in bytes.
    package let diskBytes: Int64

    /// Reads what has been told: a connection tells its counts at the end of a transaction, at most once a second
    /// (`PGSTAT_MIN_INTERVAL` of pgstat.c).
    package static func read(in session: any Session) throws(SQLError) -> DatabaseStatistics {
        let rows = try session.rows(
            """
            SELECT CAST(pg_current_wal_lsn() - '0/0'::pg_lsn AS BIGINT) AS wal,
                pg_database_size(current_database()) AS disk, CAST(SUM(n_tup_ins) AS BIGINT) AS inserted,
                CAST(SUM(n_tup_upd) AS BIGINT) AS updated, CAST(SUM(n_tup_hot_upd) AS BIGINT) AS hot,
                CAST(SUM(n_tup_del) AS BIGINT) AS deleted FROM pg_stat_user_tables
            """
        )
        guard let row = rows.first else { throw .broken("the statistics have no row") }
        return DatabaseStatistics(
            inserted: try row.integer("inserted"),
            updated: try row.integer("updated"),
            hot: try row.integer("hot"),
            deleted: try row.integer("deleted"),
            walBytes: try row.integer("wal"),
            diskBytes: try row.integer("disk")
        )
    }

    /// Keeps a connection busy for a tenth of a second, so that others are used too, and has it tell its counts afterwards.
    package static func report(in session: any Session) throws(SQLError) {
        _ = try session.rows("SELECT pg_sleep(0.1)")
    }

    /// What was counted between two readings.
    package static func - (end: DatabaseStatistics, start: DatabaseStatistics) -> DatabaseStatistics {
        DatabaseStatistics(
            inserted: end.inserted - start.inserted,
            updated: end.updated - start.updated,
            hot: end.hot - start.hot,
            deleted: end.deleted - start.deleted,
            walBytes: end.walBytes - start.walBytes,
            diskBytes: end.diskBytes - start.diskBytes
        )
    }
}
