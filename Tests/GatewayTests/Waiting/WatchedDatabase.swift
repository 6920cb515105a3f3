import SQL
import Synchronization

/// A database that writes down what is sent to the one behind it, and what is heard of it.
final class WatchedDatabase: Database {
    private struct Record {
        var statements: [String] = []
        var heard: [DatabaseNotification] = []
        var streams = 0
    }

    private let base: any Database
    private let hasNotifications: Bool
    private let record = Mutex(Record())

    /// Watches a database, whose notifications it may keep back.
    init(_ base: any Database, hasNotifications: Bool = true) {
        self.base = base
        self.hasNotifications = hasNotifications
    }

    var dialect: Dialect { base.dialect }

    /// How often whole orders were read.
    var orderReads: Int { count { $0.hasPrefix("SELECT * FROM orders WHERE id IN") } }

    /// How often others were notified of a step.
    var notifications: Int { count { $0.contains("pg_notify") } }

    /// How often somebody wrote down that they wait, or that they do so no more.
    var waiterWrites: Int {
        count { $0.hasPrefix("INSERT INTO order_waiter") || $0.hasPrefix("DELETE FROM order_waiter") }
    }

    /// How many statements are as `test` wants them.
    func count(where test: (String) -> Bool) -> Int { record.withLock { $0.statements.count(where: test) } }

    /// How often a listener has begun to listen.
    var beginnings: Int { record.withLock { $0.heard.count { $0 == .listening } } }

    /// How many notifications of steps were heard.
    var heardNotifications: Int { record.withLock { $0.heard.count { $0 != .listening } } }

    /// How often somebody asked for notifications.
    var streams: Int { record.withLock { $0.streams } }

    func write<Value: Sendable>(_ body: @escaping @Sendable (any Session) throws -> Value) async throws -> Value {
        try await base.write { session in try body(WatchedSession(session, of: self)) }
    }

    func read<Value: Sendable>(_ body: @escaping @Sendable (any Session) throws -> Value) async throws -> Value {
        try await base.read { session in try body(WatchedSession(session, of: self)) }
    }

    func now() async throws -> Int64 { try await base.now() }

    func scrub() async throws { try await base.scrub() }

    func notifications(on channel: String) -> AsyncStream<DatabaseNotification>? {
        record.withLock { $0.streams += 1 }
        guard hasNotifications, let stream = base.notifications(on: channel) else { return nil }
        let (passedOn, continuation) = AsyncStream.makeStream(of: DatabaseNotification.self)
        let task = Task {
            for await notification in stream {
                record.withLock { $0.heard.append(notification) }
                continuation.yield(notification)
            }
            continuation.finish()
        }
        continuation.onTermination = { _ in task.cancel() }
        return passedOn
    }

    fileprivate func write(down statements: [SQL]) {
        record.withLock { $0.statements += statements.map(\.text) }
    }
}

/// Writes down the statements of a transaction.
private final class WatchedSession: Session {
    private let base: any Session
    private let database: WatchedDatabase

    init(_ base: any Session, of database: WatchedDatabase) {
        self.base = base
        self.database = database
    }

    var dialect: Dialect { base.dialect }

    func rows(_ statement: SQL) throws(SQLError) -> [Row] {
        database.write(down: [statement])
        return try base.rows(statement)
    }

    func rows(_ statements: [SQL]) throws(SQLError) -> [[Row]] {
        database.write(down: statements)
        return try base.rows(statements)
    }

    func run(_ statement: SQL) throws(SQLError) {
        database.write(down: [statement])
        try base.run(statement)
    }

    func change(_ statement: SQL) throws(SQLError) -> Int {
        database.write(down: [statement])
        return try base.change(statement)
    }
}
