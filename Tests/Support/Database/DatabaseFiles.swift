import Foundation
import PostgresDatabase
package import SQL
import Storage
import StrictJSON

/// A database whose files a test may read.
package struct DatabaseFiles: Sendable {
    /// The database.
    package let database: any Database
    private let folders: [String]
    private let names: [String]

    /// Lends a database that has the listening marketplace; on PostgreSQL one of a server of its own.
    package static func with(_ engine: DatabaseEngine, _ body: (DatabaseFiles) async throws -> Void) async throws {
        switch engine {
        case .sqlite:
            try await DatabaseLocation.with(.sqlite, prepare: .listening) { location in
                guard case .sqlite(let path) = location else { return }
                try await location.withOpen { database in
                    let names = ["", "-wal", "-shm", "-journal"].map { path + $0 }
                    try await body(DatabaseFiles(database: database, folders: [], names: names))
                }
            }
        case .postgres:
            let cluster = try await ThrowawayCluster.start(.volatile)
            defer { cluster.stop() }
            try await DatabaseLocation.postgres(url: cluster.url).withOpen { database in
                try await DatabaseTemplate.listening.prepare(database)
                let place = try await database.read { session in
                    try session.rows(
                        """
                        SELECT current_setting('data_directory') AS folder, CAST(oid AS BIGINT) AS number
                        FROM pg_database WHERE datname = current_database()
                        """
                    )
                }
                let (folder, number) = (try place[0].text("folder"), try place[0].integer("number"))
                let folders = ["\(folder)/base/\(number)", "\(folder)/pg_wal"]
                try await body(DatabaseFiles(database: database, folders: folders, names: []))
            }
        }
    }

    /// Which of these byte strings any file has, once what the engine keeps in memory is written, or the document of a step,
    /// which stands packed in the file.
    package func found(_ strings: [[UInt8]]) async throws -> [[UInt8]] {
        if let postgres = database as? PostgresDatabase { try await postgres.runOutsideTransaction("CHECKPOINT") }
        let manager = FileManager.default
        let inside = try folders.flatMap { folder in
            try manager.contentsOfDirectory(atPath: folder).map { folder + "/" + $0 }
        }
        var found: Set<[UInt8]> = []
        let documents = try await database.read { session in
            try session.rows("SELECT document FROM order_step").map {
                Data(try StepDocument.read($0.bytes("document")).bytes)
            }
        }
        // A folder has no contents, and PostgreSQL may be done with a file meanwhile.
        for bytes in documents + (names + inside).compactMap({ manager.contents(atPath: $0) }) {
            for string in strings where bytes.range(of: Data(string)) != nil { found.insert(string) }
        }
        return strings.filter(found.contains)
    }
}
