import SQL
import Synchronization

/// A database that writes down how many rows each transaction deleted.
final class DeletionRecorder: Database {
    private let base: any Database
    private let recorded = Mutex<[Int]>([])

    init(_ base: any Database) { self.base = base }

    /// How many rows each transaction that deleted any deleted, in their order.
    var deletions: [Int] { recorded.withLock { $0 } }

    var dialect: Dialect { base.dialect }

    func write<Value: Sendable>(_ body: @escaping @Sendable (any Session) throws -> Value) async throws -> Value {
        let (value, count) = try await base.write { session in
            let counting = CountingSession(session)
            return (try body(counting), counting.deleted)
        }
        if count > 0 { recorded.withLock { $0.append(count) } }
        return value
    }

    func read<Value: Sendable>(_ body: @escaping @Sendable (any Session) throws -> Value) async throws -> Value {
        try await base.read(body)
    }

    func now() async throws -> Int64 { try await base.now() }

    func scrub() async throws { try await base.scrub() }

    func notifications(on channel: String) -> AsyncStream<DatabaseNotification>? { base.notifications(on: channel) }
}

/// A session that counts the rows that statements delete.
private final class CountingSession: Session {
    private let base: any Session
    private(set) var deleted = 0

    init(_ base: any Session) { self.base = base }

    var dialect: Dialect { base.dialect }

    func rows(_ statement: SQL) throws(SQLError) -> [Row] { try base.rows(statement) }

    func rows(_ statements: [SQL]) throws(SQLError) -> [[Row]] { try base.rows(statements) }

    func run(_ statement: SQL) throws(SQLError) {
        // What is queued is not counted, so it must not delete.
        guard !statement.text.hasPrefix("DELETE") else { throw .broken("a deletion that nobody counts") }
        try base.run(statement)
    }

    func change(_ statement: SQL) throws(SQLError) -> Int {
        let count = try base.change(statement)
        if statement.text.hasPrefix("DELETE") { deleted += count }
        return count
    }
}
