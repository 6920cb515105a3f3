import Glibc
package import SQL
import Synchronization

import struct GRDB.Configuration
import struct GRDB.DatabaseError
import class GRDB.DatabasePool

/// The embedded engine: one SQLite file, one process, every commit on disk before it is answered.
package final class SQLiteDatabase: Database {
    package let dialect = Dialect.sqlite
    /// The database file, links resolved.
    package let path: String
    private let pool: DatabasePool
    private let statements: StatementAdmission
    private let writer: GroupCommit
    private let busySeconds: Double
    private let ownership = Mutex<FileOwnership?>(nil)

    /// Opens or creates the file in write-ahead-log mode and makes sure that commits wait for the disk.
    ///
    /// A file that is created may be read by its owner alone; so may its log, which SQLite gives the file's own mode.
    ///
    /// - Throws: ``SQLError/unavailable(_:)`` if the file cannot be opened or is locked, ``SQLError/broken(_:)`` if it
    ///   is not a database or a setting did not take.
    package init(path: String, limits: SQLiteLimits = SQLiteLimits()) throws(SQLError) {
        PrivateFile.create(at: path)
        do {
            pool = try DatabasePool(path: path, configuration: SQLiteDatabase.configuration(limits))
            self.path = try pool.writeWithoutTransaction { connection in
                try SQLiteDatabase.requireDurability(connection)
                return try SQLiteDatabase.text("SELECT file FROM pragma_database_list WHERE name = 'main'", connection)
            }
        } catch {
            throw SQLError(sqlite: error)
        }
        busySeconds = limits.busySeconds
        statements = StatementAdmission(limit: limits.preparedStatements)
        writer = GroupCommit(pool, limits, statements)
    }

    /// Claims the file for this process's life, for a program that serves from it.
    ///
    /// - Throws: ``SQLiteFileInUse`` if somebody else serves from it, ``SQLError`` if the lock file cannot be opened.
    package func lockExclusively() throws {
        do {
            let taken = try FileOwnership(databasePath: path)
            ownership.withLock { $0 = taken }
        } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
            throw SQLiteFileInUse(path: path)
        } catch {
            throw SQLError(sqlite: error)
        }
    }

    package func write<Value: Sendable>(
        _ body: @escaping @Sendable (any Session) throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { caller in writer.add(CallersWrite(caller, body)) }
    }

    package func read<Value: Sendable>(
        _ body: @escaping @Sendable (any Session) throws -> Value
    ) async throws -> Value {
        do {
            return try await pool.read { [statements] connection in
                try SQLiteSession(connection, statements).carry(body)
            }
        } catch let error as DatabaseError {
            throw SQLError(sqlite: error)
        }
    }

    /// How many writes wait for the writer at the moment.
    package var waitingWrites: Int { writer.count }

    package func now() async throws -> Int64 { WallClock.microseconds() }

    /// How many bytes whoever serves may still write to the file system that the file is on; nil if that is not told.
    package var freeBytes: Int64? {
        var told = statvfs()
        guard unsafe statvfs(path, &told) == 0 else { return nil }
        let (bytes, isTooMany) = Int64(told.f_bavail).multipliedReportingOverflow(by: Int64(told.f_frsize))
        return isTooMany ? nil : bytes
    }

    /// How long cutting the log waits for readers of an older state, while no write is taken.
    private static let scrubWaitMilliseconds = 100

    package func scrub() async throws {
        let (usual, brief) = (Int(busySeconds * 1000), Self.scrubWaitMilliseconds)
        try await withCheckedThrowingContinuation { (caller: CheckedContinuation<Void, any Error>) in
            pool.asyncWriteWithoutTransaction { connection in
                do {
                    _ = try Self.text("PRAGMA busy_timeout = \(brief)", connection)
                    let result = Result { try connection.checkpoint(.truncate) }
                    _ = try Self.text("PRAGMA busy_timeout = \(usual)", connection)
                    _ = try result.get()
                    caller.resume()
                } catch {
                    caller.resume(throwing: SQLError(sqlite: error))
                }
            }
        }
    }

    package func notifications(on channel: String) -> AsyncStream<DatabaseNotification>? { nil }

    /// Closes the file after the transactions under way and gives it up; later calls fail.
    ///
    /// What is in the log is copied into the file first, so that the file alone is a whole copy, unless another process
    /// still reads an older state: the connection that SQLite closes last only reads, and cannot do it.
    ///
    /// - Throws: ``SQLError`` if SQLite cannot close it.
    package func close() throws(SQLError) {
        do {
            // Not vital: what stays in the log is read from there by whoever opens the file next.
            _ = try? pool.writeWithoutTransaction { connection in try connection.checkpoint(.passive) }
            try pool.close()
            ownership.withLock { $0 = nil }
        } catch {
            throw SQLError(sqlite: error)
        }
    }

    private static func configuration(_ limits: SQLiteLimits) -> Configuration {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = true
        configuration.busyMode = .timeout(limits.busySeconds)
        configuration.maximumReaderCount = limits.readers
        configuration.label = "tributary.sqlite"
        return configuration
    }

    /// Sets what opening left weaker, then reads back everything that durability and integrity rest on.
    private static func requireDurability(_ connection: SQLiteConnection) throws {
        // After opening, because the pool itself sets NORMAL, which may lose a commit when the power fails.
        try connection.execute(sql: "PRAGMA synchronous = FULL")
        // What is deleted is overwritten in the file, freed pages too.
        _ = try text("PRAGMA secure_delete = ON", connection)
        let expected = [
            ("journal_mode", "wal"), ("synchronous", "2"), ("foreign_keys", "1"), ("secure_delete", "1"),
        ]
        for (setting, value) in expected {
            let found = try text("PRAGMA \(setting)", connection)
            guard found == value else { throw SQLError.broken("SQLite runs with \(setting) = \(found)") }
        }
    }

    private static func text(_ query: String, _ connection: SQLiteConnection) throws -> String {
        try String.fetchOne(connection, sql: query) ?? ""
    }
}

/// The limits of the embedded engine.
package struct SQLiteLimits: Hashable, Sendable {
    /// Writes that share one commit; more than these wait for the next one.
    package var writesPerCommit = 64
    /// Writes that may wait for the writer; one more is answered ``SQLError/unavailable(_:)``.
    package var waitingWrites = 4_096
    /// Connections that read at the same time.
    package var readers = 4
    /// Statement texts that stay prepared on each connection; others are prepared each time.
    package var preparedStatements = 256
    /// How long a transaction waits for another process's lock before it is answered ``SQLError/unavailable(_:)``.
    package var busySeconds = 5.0

    /// The limits as written above.
    package init() {}
}

/// The machine's clock.
private enum WallClock {
    /// Microseconds since 1970, UTC.
    static func microseconds() -> Int64 {
        var now = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &now)
        return Int64(now.tv_sec) * 1_000_000 + Int64(now.tv_nsec) / 1_000
    }
}
