import SQL
import Synchronization

/// A database in which somebody else does something in front of the first transaction.
final class MeddledDatabase: Database {
    private let database: any Database
    private let meddle: @Sendable () async throws -> Void
    private let isMeddled = Mutex(false)

    init(database: any Database, meddle: @escaping @Sendable () async throws -> Void) {
        self.database = database
        self.meddle = meddle
    }

    var dialect: Dialect { database.dialect }

    func write<Value: Sendable>(_ body: @escaping @Sendable (any Session) throws -> Value) async throws -> Value {
        let isFirst = isMeddled.withLock { isMeddled in
            defer { isMeddled = true }
            return !isMeddled
        }
        if isFirst { try await meddle() }
        return try await database.write(body)
    }

    func read<Value: Sendable>(_ body: @escaping @Sendable (any Session) throws -> Value) async throws -> Value {
        try await database.read(body)
    }

    func now() async throws -> Int64 { try await database.now() }

    func scrub() async throws { try await database.scrub() }

    func notifications(on channel: String) -> AsyncStream<DatabaseNotification>? { database.notifications(on: channel) }
}
