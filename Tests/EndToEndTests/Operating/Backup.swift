import Foundation
import TributaryTestKit

/// A backup of a database, made and restored as the page on backups has it.
struct Backup: Sendable {
    private let folder: TemporaryFolder
    private let location: DatabaseLocation

    private var file: String { folder.path("backup") }

    /// Lends a backup of a database as it is now, whoever serves it.
    static func with<Value>(of location: DatabaseLocation, _ body: (Backup) async throws -> Value) async throws -> Value
    {
        try await TemporaryFolder.with { folder in
            let backup = Backup(folder: folder, location: location)
            switch location {
            case .postgres(let url):
                let options = ["--format=custom", "--no-unlogged-table-data", "--file=" + backup.file]
                try await run(program("pg_dump"), options + ["--dbname=" + url])
            case .sqlite(let path):
                // The shell of SQLite is not everywhere; the library is the same.
                let script =
                    "import sqlite3, sys; sqlite3.connect(sys.argv[1]).execute('VACUUM INTO ?', (sys.argv[2],))"
                try await run("/usr/bin/env", ["python3", "-c", script, path, backup.file])
            }
            return try await body(backup)
        }
    }

    /// Lends what is restored from it, in a place of its own.
    func restored<Value>(_ body: (DatabaseLocation) async throws -> Value) async throws -> Value {
        switch location {
        case .sqlite: return try await body(.sqlite(path: file))
        case .postgres:
            return try await DatabaseLocation.with(.postgres) { empty in
                try await Self.run(Self.program("pg_restore"), ["--exit-on-error", "--dbname=" + empty.text, file])
                return try await body(empty)
            }
        }
    }

    /// PostgreSQL's program of the newest version that is installed.
    private static func program(_ name: String) -> String {
        let folder = "/usr/lib/postgresql"
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let newest = versions.compactMap { Int($0) }.max()
        return newest.map { "\(folder)/\($0)/bin/\(name)" } ?? "/usr/bin/\(name)"
    }

    private static func run(_ program: String, _ arguments: [String]) async throws {
        let finished = try await Programs.with { programs in
            let program = try programs.start(URL(fileURLWithPath: program), arguments)
            return try await Finished(program, within: .patience)
        }
        guard finished.status == 0 else { throw ProgramFailure.notStarted("\(program): \(finished.err)") }
    }
}
