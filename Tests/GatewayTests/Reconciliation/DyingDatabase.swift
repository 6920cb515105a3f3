import SQL
import Synchronization

/// A database whose process dies: a number of transactions are committed, the next one is not, nor is any behind it.
final class DyingDatabase: Database {
    enum Death: Error {
        case died
    }

    let database: any Database
    private let left: Mutex<Int>

    init(database: any Database, writes: Int) {
        self.database = database
        left = Mutex(writes - 1)
    }

    var dialect: Dialect { database.dialect }

    func write<Value: Sendable>(_ body: @escaping @Sendable (any Session) throws -> Value) async throws -> Value {
        let mayWrite = left.withLock { left in
            left -= 1
            return left >= 0
        }
        guard mayWrite else { throw Death.died }
        return try await database.write(body)
    }

    func read<Value: Sendable>(_ body: @escaping @Sendable (any Session) throws -> Value) async throws -> Value {
        try await database.read(body)
    }

    func now() async throws -> Int64 { try await database.now() }

    func scrub() async throws { try await database.scrub() }

    func notifications(on channel: String) -> AsyncStream<DatabaseNotification>? { database.notifications(on: channel) }
}
