import Foundation
import PostgresDatabase
package import SQL
import SQLiteDatabase

/// A fresh database that a test may open more than once.
package enum DatabaseLocation: Hashable, Sendable {
    /// The path of a file.
    case sqlite(path: String)
    /// The URL of a database.
    case postgres(url: String)

    /// Lends a fresh place, with what a template holds, and removes it afterwards.
    @discardableResult
    package static func with<Value>(
        _ engine: DatabaseEngine,
        prepare template: DatabaseTemplate? = nil,
        _ body: (DatabaseLocation) async throws -> Value
    ) async throws -> Value {
        switch engine {
        case .sqlite:
            return try await TemporaryFolder.with { folder in
                let path = folder.path("test.sqlite")
                if let template { try await SQLiteTemplates.copy(template, to: path) }
                return try await body(.sqlite(path: path))
            }
        case .postgres:
            let url = try await PostgresCluster.createDatabase(from: template)
            let result: Result<Value, any Error>
            do { result = .success(try await body(.postgres(url: url))) } catch { result = .failure(error) }
            try await PostgresCluster.dropDatabase(url)
            return try result.get()
        }
    }

    /// Lends a fresh place whose files are all in a folder, on PostgreSQL those of a server of its own.
    package static func with<Value>(
        _ engine: DatabaseEngine,
        in folder: String,
        _ body: (DatabaseLocation) async throws -> Value
    ) async throws -> Value {
        guard engine == .postgres else { return try await body(.sqlite(path: folder + "/test.sqlite")) }
        let cluster = try await ThrowawayCluster.start(.durable, in: folder)
        defer { cluster.stop() }
        return try await body(.postgres(url: cluster.url))
    }

    /// Lends a copy of it as it is now, which nobody may have open, and removes the copy afterwards.
    @discardableResult
    package func withCopy<Value>(_ body: (DatabaseLocation) async throws -> Value) async throws -> Value {
        switch self {
        case .sqlite(let path):
            return try await TemporaryFolder.with { folder in
                let copy = folder.path("copy.sqlite")
                try SQLiteTemplates.copy(path, to: copy)
                return try await body(.sqlite(path: copy))
            }
        case .postgres(let url):
            let copy = try await PostgresCluster.copyDatabase(url)
            let result: Result<Value, any Error>
            do { result = .success(try await body(.postgres(url: copy))) } catch { result = .failure(error) }
            try await PostgresCluster.dropDatabase(copy)
            return try result.get()
        }
    }

    /// Opens it for the time of `body`, on PostgreSQL with so many connections.
    @discardableResult
    package func withOpen<Value>(
        connections: Int = 4,
        _ body: (any Database) async throws -> Value
    ) async throws -> Value {
        switch self {
        case .sqlite(let path):
            let database = try SQLiteDatabase(path: path)
            let value = try await body(database)
            try database.close()
            return value
        case .postgres(let url):
            let database = try PostgresDatabase(url: url, connections: connections)
            let value = try await body(database)
            await database.close()
            return value
        }
    }
}
