import ArgumentParser
import Domain
import Foundation
import PostgresDatabase
import SQL
import SQLiteDatabase
import Settings
import Storage

/// `--config` and `--database`, which every command that needs a database understands.
struct DatabaseOptions: ParsableArguments, DatabaseChoice {
    @Option(name: .long, help: configHelp)
    var config: String?

    @Option(name: .long, help: databaseHelp)
    var database: String?
}

/// What names the settings file and the database.
protocol DatabaseChoice {
    /// The settings file's path; nil for the usual one, which may be absent.
    var config: String? { get }
    /// The database's URL; nil for that of the settings.
    var database: String? { get }
}

extension DatabaseChoice {
    /// What `--config` is.
    static var configHelp: ArgumentHelp {
        ArgumentHelp("The settings file; Config/tributary.yaml unless said, which may be absent.", valueName: "file")
    }

    /// What `--database` is.
    static var databaseHelp: ArgumentHelp {
        ArgumentHelp("The database: sqlite:PATH or postgres://… (also TRIBUTARY_DATABASE_URL).", valueName: "url")
    }

    /// The settings: what was typed over the environment over the file over the defaults.
    ///
    /// - Parameters:
    ///   - options: what else was typed, as text.
    ///   - surroundings: the environment and the files.
    /// - Returns: the settings.
    /// - Throws: `InvalidConfiguration` with everything that is wrong.
    func settings(
        adding options: [Setting: String?] = [:],
        surroundings: Surroundings = .process
    ) throws -> ServerSettings {
        var typed = options.compactMapValues(\.self)
        typed[.databaseURL] = database
        return try ServerSettings.load(
            path: config ?? ServerSettings.defaultPath,
            isRequired: config != nil,
            options: typed,
            surroundings: surroundings
        )
    }
}

/// What a command opens the database for, which says how carefully it has to ask.
enum DatabaseUse {
    /// To read it or change single rows, beside a server that may be running.
    case looking
    /// To serve from it: an embedded database belongs to one process alone.
    case serving
    /// To bring its schema up to date, or to create it.
    case migrating
    /// To look at its schema, whatever it is, and change nothing.
    case inspecting

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
            let connections = settings.databaseConnections(processors: ProcessInfo.processInfo.activeProcessorCount)
            let database = try PostgresDatabase(
                url: url.reveal(),
                connections: connections,
                limits: limits(settings.databaseTimes)
            )
            let result = await Result { try await checked(database, body) }
            await database.close()
            return try result.get()
        }
    }

    /// What a serving instance may ask of PostgreSQL, so that a buyer hears in time that it hangs; commands have the time
    /// that the engine gives.
    private func limits(_ times: DatabaseTimes) -> PostgresLimits {
        var limits = PostgresLimits()
        guard case .serving = self else { return limits }
        limits.statementMilliseconds = Int(times.statementMilliseconds)
        limits.lockMilliseconds = Int(times.lockMilliseconds)
        limits.connectSeconds = 3
        limits.waitSeconds = Int(times.statementMilliseconds / 1000) + 5
        return limits
    }

    /// Opens the file; only a migration creates one, so that a mistyped path leaves nothing behind.
    private func sqlite(_ path: String) throws -> SQLiteDatabase {
        let mayCreate = if case .migrating = self { true } else { false }
        guard mayCreate || FileManager.default.fileExists(atPath: path) else {
            throw CommandFailure.unusable("there is no database at \(path); `tributary migrate` creates it")
        }
        let database = try SQLiteDatabase(path: path)
        switch self {
        case .looking, .inspecting: return database
        case .serving, .migrating: break
        }
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
        case .migrating, .inspecting: break
        }
        return try await body(database)
    }
}

extension Result where Failure == any Error {
    /// What an asynchronous body came to, so that something can be done before its error is thrown.
    init(_ body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}
