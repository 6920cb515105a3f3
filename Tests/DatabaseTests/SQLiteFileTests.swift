import Foundation
import SQL
import SQLiteDatabase
import Testing
import TributaryTestKit

@Suite("The SQLite file", .timeLimit(.minutes(10)))
struct SQLiteFileTests {
    @Test("has one owner: a second opening is refused until the first is closed")
    func hasOneOwner() async throws {
        try await TemporaryFolder.with { folder in
            let path = folder.path("owned.sqlite")
            let owner = try SQLiteDatabase(path: path)
            try owner.lockExclusively()
            let other = try SQLiteDatabase(path: path)
            let refusal = SQLiteFileInUse(path: owner.path)
            #expect(throws: refusal) { try other.lockExclusively() }
            #expect(refusal.description.contains("PostgreSQL"))
            // Looking at it is allowed to both.
            #expect(try await other.read { try $0.rows("SELECT 1 AS one").count } == 1)
            try owner.close()
            try other.lockExclusively()
            try other.close()
        }
    }

    @Test("is told of where others may read it or its log")
    func isOpenToOthers() async throws {
        try await TemporaryFolder.with { folder in
            let path = folder.path("seen.sqlite")
            let database = try SQLiteDatabase(path: path)
            try await database.write { try $0.run("CREATE TABLE t (id INTEGER)") }
            #expect(SQLiteFileModes.filesOpenToOthers(of: path) == [])
            for name in [path, path + "-wal"] {
                try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: name)
            }
            #expect(SQLiteFileModes.filesOpenToOthers(of: path) == [path, path + "-wal"])
            try database.close()
        }
    }

    @Test("is for its owner alone, its log too; one that exists keeps its mode")
    func isPrivate() async throws {
        try await TemporaryFolder.with { folder in
            func modes(_ name: String, _ endings: [String] = ["", "-wal", "-shm", ".lock"]) throws -> [Int] {
                try endings.map { ending in
                    let attributes = try FileManager.default.attributesOfItem(atPath: folder.path(name + ending))
                    return (attributes[.posixPermissions] as? NSNumber)?.intValue ?? -1
                }
            }
            let database = try SQLiteDatabase(path: folder.path("new.sqlite"))
            try database.lockExclusively()
            try await AccountTables.filled.prepare(database)
            #expect(try modes("new.sqlite") == [0o600, 0o600, 0o600, 0o600])
            let shared: [FileAttributeKey: Any] = [.posixPermissions: 0o640]
            #expect(
                FileManager.default.createFile(atPath: folder.path("old.sqlite"), contents: nil, attributes: shared)
            )
            let other = try SQLiteDatabase(path: folder.path("old.sqlite"))
            try await AccountTables.filled.prepare(other)
            #expect(try modes("old.sqlite", [""]) == [0o640])
            try database.close()
            try other.close()
        }
    }

    @Test("leaves nothing of what was deleted in its log, nor in itself, once it is scrubbed")
    func isScrubbed() async throws {
        try await TemporaryFolder.with { folder in
            let path = folder.path("scrubbed.sqlite")
            let database = try SQLiteDatabase(path: path)
            try await AccountTables.filled.prepare(database)
            let mark = "mark-" + String(repeating: "m", count: 40)
            try await database.write { try $0.run("CREATE TABLE secret (text TEXT NOT NULL) STRICT") }
            try await database.write { try $0.run("INSERT INTO secret (text) VALUES (\(mark))") }
            try await database.write { try $0.run("DELETE FROM secret") }
            func isFound() throws -> Bool {
                try [path, path + "-wal"].contains { name in
                    try Data(contentsOf: URL(fileURLWithPath: name)).range(of: Data(mark.utf8)) != nil
                }
            }
            #expect(try isFound())
            try await database.scrub()
            #expect(try !isFound())
            try await database.write { try $0.run("INSERT INTO secret (text) VALUES ('later')") }
            try database.close()
        }
    }

    @Test("has one owner whatever links lead to it")
    func seesThroughLinks() async throws {
        try await TemporaryFolder.with { folder in
            let owner = try SQLiteDatabase(path: folder.path("owned.sqlite"))
            try owner.lockExclusively()
            try FileManager.default.createSymbolicLink(
                atPath: folder.path("link.sqlite"),
                withDestinationPath: folder.path("owned.sqlite")
            )
            let other = try SQLiteDatabase(path: folder.path("link.sqlite"))
            #expect(throws: SQLiteFileInUse(path: owner.path)) { try other.lockExclusively() }
        }
    }

    @Test("is whole without its log once it is closed")
    func isWholeWhenClosed() async throws {
        try await TemporaryFolder.with { folder in
            let database = try SQLiteDatabase(path: folder.path("closed.sqlite"))
            try await AccountTables.filled.prepare(database)
            // A connection that only reads has been opened beside the one that writes.
            #expect(try await database.read(AccountTables.names) == ["a", "b"])
            try database.close()
            try FileManager.default.copyItem(atPath: folder.path("closed.sqlite"), toPath: folder.path("copy.sqlite"))
            let copy = try SQLiteDatabase(path: folder.path("copy.sqlite"))
            #expect(try await copy.read(AccountTables.names) == ["a", "b"])
            try copy.close()
        }
    }

    @Test("keeps what was committed, and frees its lock, when its process is killed")
    func survivesKilling() async throws {
        try await TemporaryFolder.with { folder in
            let path = folder.path("killed.sqlite")
            await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
                let database = try SQLiteDatabase(path: path)
                try database.lockExclusively()
                try await AccountTables.filled.prepare(database)
                kill(getpid(), SIGKILL)
            }
            let database = try SQLiteDatabase(path: path)
            try database.lockExclusively()
            #expect(try await database.read(AccountTables.names) == ["a", "b"])
            try database.close()
        }
    }

    @Test("is refused to another process while it is served")
    func refusesAnotherProcess() async throws {
        try await TemporaryFolder.with { folder in
            let path = folder.path("served.sqlite")
            let database = try SQLiteDatabase(path: path)
            try database.lockExclusively()
            await #expect(processExitsWith: .exitCode(3)) { [path = path as String] in
                do {
                    try SQLiteDatabase(path: path).lockExclusively()
                } catch is SQLiteFileInUse {
                    exit(3)
                }
            }
            try database.close()
        }
    }

    @Test("waits for the disk and checks its references, on every connection it writes with")
    func isDurable() async throws {
        try await TemporaryFolder.with { folder in
            let database = try SQLiteDatabase(path: folder.path("settings.sqlite"))
            let settings = try await database.write { session in
                [
                    try session.rows("PRAGMA synchronous")[0].integer("synchronous"),
                    try session.rows("PRAGMA foreign_keys")[0].integer("foreign_keys"),
                ]
            }
            #expect(settings == [2, 1])
            #expect(try await database.read { try $0.rows("PRAGMA journal_mode")[0].text("journal_mode") } == "wal")
            try database.close()
        }
    }

    @Test("must be a database, in a folder that exists")
    func mustBeADatabase() async throws {
        try await TemporaryFolder.with { folder in
            let path = folder.path("text.sqlite")
            try Data(repeating: 0x41, count: 4_096).write(to: URL(fileURLWithPath: path))
            #expect(throws: SQLError.broken("file is not a database")) { try SQLiteDatabase(path: path) }
            #expect(throws: SQLError.unavailable("unable to open database file")) {
                try SQLiteDatabase(path: folder.path("nowhere/new.sqlite"))
            }
        }
    }

    @Test("that another program has locked is unavailable after a while")
    func isLockedByOthers() async throws {
        try await TemporaryFolder.with { folder in
            var limits = SQLiteLimits()
            limits.busySeconds = 0.01
            let path = folder.path("busy.sqlite")
            let holder = try SQLiteDatabase(path: path)
            let gate = Gate()
            async let holding: Void = holder.write { _ in gate.pass() }
            await gate.someoneArrives()
            let database = try SQLiteDatabase(path: path, limits: limits)
            await #expect(throws: SQLError.unavailable("another process holds the database file's lock")) {
                try await database.write { _ in }
            }
            gate.open()
            try await holding
            try await database.write { _ in }
        }
    }

    @Test("has the columns that a table has by now in what a statement gave that was prepared before")
    func preparedBeforeMigration() async throws {
        try await TemporaryFolder.with { folder in
            let database = try SQLiteDatabase(path: folder.path("columns.sqlite"))
            try await database.write { session in
                try session.run("CREATE TABLE thing (id INTEGER NOT NULL) STRICT")
                try session.run("INSERT INTO thing (id) VALUES (7)")
            }
            let all: SQL = "SELECT * FROM thing"
            for _ in 0..<2 {
                #expect(try await database.read { try $0.rows(all)[0].integer("id") } == 7)
                #expect(try await database.write { try $0.rows(all)[0].integer("id") } == 7)
            }
            try await database.write { try $0.run("ALTER TABLE thing ADD COLUMN name TEXT NOT NULL DEFAULT 'a'") }
            #expect(try await database.read { try $0.rows(all)[0].text("name") } == "a")
            #expect(try await database.write { try $0.rows(all)[0].text("name") } == "a")
            try database.close()
        }
    }

    @Test("refuses a statement with another number of values than it has places for")
    func countsValues() async throws {
        try await TemporaryFolder.with { folder in
            let database = try SQLiteDatabase(path: folder.path("values.sqlite"))
            await #expect(throws: SQLError.broken("a statement has another number of values than of places for them")) {
                try await database.read { _ = try $0.rows(SQL(stringLiteral: "SELECT $1 AS word")) }
            }
            try database.close()
        }
    }

    @Test("is served with a bounded number of prepared statements, all of them right")
    func boundsStatements() async throws {
        try await TemporaryFolder.with { folder in
            var limits = SQLiteLimits()
            limits.preparedStatements = 2
            let database = try SQLiteDatabase(path: folder.path("many.sqlite"), limits: limits)
            for round in 0..<2 {
                for number in 0..<20 {
                    let statement = SQL(stringLiteral: "SELECT \(number) AS number")
                    #expect(
                        try await database.write { try $0.rows(statement)[0].integer("number") } == Int64(number),
                        "round \(round)"
                    )
                }
            }
            try database.close()
        }
    }
}
