import PostgresDatabase
import SQL
import SQLiteDatabase

/// Opens the database that the instructions name.
enum OpenedDatabase {
    /// A file, which then belongs to this process alone, or a server's database over two connections.
    ///
    /// - Throws: `SQLError`, or `SQLiteFileInUse`.
    static func open(_ location: String) throws -> any Database {
        let sqlite = "sqlite:"
        guard location.hasPrefix(sqlite) else { return try PostgresDatabase(url: location, connections: 2) }
        let file = try SQLiteDatabase(path: String(location.dropFirst(sqlite.count)))
        try file.lockExclusively()
        return file
    }
}
