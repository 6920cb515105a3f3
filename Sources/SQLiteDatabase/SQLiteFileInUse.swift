/// Another process, or another opening in this one, already owns the database file.
///
/// The embedded engine serves one process; PostgreSQL is the engine that several share.
package struct SQLiteFileInUse: Error, Hashable, Sendable, CustomStringConvertible {
    /// The database file.
    package let path: String

    /// Names the file.
    package init(path: String) {
        self.path = path
    }

    /// A sentence for people that names the way out.
    package var description: String {
        "the database file \(path) is already served by another process; "
            + "use PostgreSQL to run several processes on one database"
    }
}
