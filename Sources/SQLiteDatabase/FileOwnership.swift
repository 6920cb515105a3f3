import Synchronization

import struct GRDB.Configuration
import class GRDB.DatabaseQueue

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
