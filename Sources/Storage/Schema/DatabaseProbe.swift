package import SQL

/// Asks a database whether it is there.
package enum DatabaseProbe {
    /// Reads a row of a table, so that the file of an embedded database is read too.
    ///
    /// - Throws: `SQLError`.
    package static func touch(in session: any Session) throws(SQLError) {
        _ = try session.rows("SELECT name FROM schema_migration LIMIT 1")
    }
}
