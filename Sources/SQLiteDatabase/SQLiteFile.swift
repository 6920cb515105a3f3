import GRDB
import Glibc
import Synchronization

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

/// The right to serve a database file, held until the process ends or the owner is closed.
///
/// It is SQLite's own exclusive lock on an empty file beside the database. The operating system drops it with the
/// process, however that ends, and SQLite refuses a second opening within the process as well.
final class FileOwnership: Sendable {
    private let lockFile: DatabaseQueue

    /// Takes the lock.
    ///
    /// - Throws: the engine's error, `SQLITE_BUSY` if somebody else holds the lock.
    init(databasePath: String) throws {
        var configuration = Configuration()
        configuration.busyMode = .immediateError
        configuration.allowsUnsafeTransactions = true
        PrivateFile.create(at: databasePath + ".lock")
        lockFile = try DatabaseQueue(path: databasePath + ".lock", configuration: configuration)
        // Left open on purpose: the lock lives as long as the transaction.
        try lockFile.writeWithoutTransaction { connection in try connection.beginTransaction(.exclusive) }
    }
}

/// A file that only its owner may read and write.
enum PrivateFile {
    /// Creates an empty file; one that exists is left alone, and what hinders it is left to whoever opens it.
    ///
    /// A file that exists must not even be opened: closing it would drop the locks that this process has on it.
    static func create(at path: String) {
        let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if descriptor >= 0 { close(descriptor) }
    }
}

/// What a database's files may be read and written by.
package enum SQLiteFileModes {
    /// Those of a database's files that others than their owner may read or write: a file that existed before keeps the
    /// mode that it had.
    ///
    /// - Parameter path: the database file.
    /// - Returns: their paths.
    package static func filesOpenToOthers(of path: String) -> [String] {
        ["", "-wal", "-shm", ".lock"].map { path + $0 }.filter { name in
            var status = stat()
            guard unsafe stat(name, &status) == 0 else { return false }
            return status.st_mode & 0o077 != 0
        }
    }
}

// A name that both the engine and our own interface use. Files that need both import single names from the engine.

/// One connection to the file, confined to its queue.
typealias SQLiteConnection = GRDB.Database
