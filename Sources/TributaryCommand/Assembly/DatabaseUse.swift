import Domain
import Foundation
import PostgresDatabase
import SQL
import SQLiteDatabase
import Settings
import Storage

/// What a command opens the database for, which says how carefully it has to ask.
enum DatabaseUse {
    /// To read it or change single rows, beside a server that may be running.
    case looking
    /// To serve from it: an embedded database belongs to one process alone.
    case serving
    /// To bring its schema up to date, or to create it.
    case migrating

    /// Lends the database that the settings name, and closes it afterwards.
    ///
    /// - Throws: ``CommandFailure`` if there is none, `SchemaRefusal` if its schema is not this build's, `SQLError`
    ///   if it cannot be opened, `SQLiteFileInUse` if another process serves from it, and what `body` throws.
    func open<Value>(_ settings: ServerSettings, _ body: (any Database) async throws -> Value) async throws -> Value {
        switch settings.database {
        case .sqlite(let path):
            let database = try sqlite(path)
            let result = await Result { try await checked(database, body) }
            try database.close()
            return try result.get()
        case .postgres(let url):
            let database = try PostgresDatabase(url: url.reveal(), connections: settings.databaseConnections)
            let result = await Result { try await checked(database, body) }
            await database.close()
            return try result.get()
        }
    }

    /// Opens the file; only a migration creates one, so that a mistyped path leaves nothing behind.
    private func sqlite(_ path: String) throws -> SQLiteDatabase {
        let mayCreate = if case .migrating = self { true } else { false }
        guard mayCreate || FileManager.default.fileExists(atPath: path) else {
            throw CommandFailure.unusable("there is no database at \(path); `tributary migrate` creates it")
        }
        let database = try SQLiteDatabase(path: path)
        if case .looking = self { return database }
        do {
            try database.lockExclusively()
        } catch {
            try? database.close()
            throw error
        }
        return database
    }

    private func checked<Value>(
        _ database: some Database,
        _ body: (any Database) async throws -> Value
    ) async throws -> Value {
        switch self {
        case .looking, .serving: try await Migrator().check(database)
        case .migrating: break
        }
        return try await body(database)
    }
}
