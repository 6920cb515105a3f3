package import SQL
import Synchronization

import struct GRDB.Configuration
import struct GRDB.DatabaseError
import class GRDB.DatabaseQueue

/// The embedded engine without a file, for simulations: a body runs at once, on the thread of its caller, of whom there is
/// one at a time.
///
/// What is written in an episode is as if it had never been once the episode ends, so that many runs begin with the same
/// rows without making them anew.
package final class MemoryDatabase: Database {
    package let dialect = Dialect.sqlite
    private let queue: DatabaseQueue
    /// Used by one caller at a time, like the whole database.
    nonisolated(unsafe) private let statements: KeptStatements
    nonisolated(unsafe) private let savepoint: PreparedStatement
    nonisolated(unsafe) private let rollback: PreparedStatement
    nonisolated(unsafe) private let release: PreparedStatement
    private let clock: @Sendable () -> Int64
    private let hasKept = Atomic(false)
    private let isEpisode = Atomic(false)
    /// How often rows were taken back.
    private let returns = Atomic(0)

    /// An empty database.
    ///
    /// - Parameter clock: the time in microseconds since 1970.
    /// - Throws: ``SQLError/unavailable(_:)`` without memory.
    package init(clock: @escaping @Sendable () -> Int64) throws(SQLError) {
        self.clock = clock
        var configuration = Configuration()
        configuration.foreignKeysEnabled = true
        configuration.allowsUnsafeTransactions = true
        configuration.label = "tributary.memory"
        do {
            queue = try DatabaseQueue(configuration: configuration)
            // Some systems' SQLite overwrites what is deleted unless it is told not to; nothing here outlives the process.
            try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA secure_delete = OFF") }
            // Lists of every length make ever more texts; with 1,024 it was all of them after some 200 runs.
            unsafe statements = KeptStatements(queue, limit: 8192)
            unsafe savepoint = try statements.statement("SAVEPOINT body")
            unsafe rollback = try statements.statement("ROLLBACK TO body")
            unsafe release = try statements.statement("RELEASE body")
        } catch {
            throw SQLError(sqlite: error)
        }
    }

    /// Begins an episode.
    ///
    /// - Throws: ``SQLError/broken(_:)`` within another one.
    package func beginEpisode() throws(SQLError) {
        do { try queue.unsafeReentrantWrite { try $0.beginTransaction(.immediate) } } catch {
            throw SQLError(sqlite: error)
        }
        isEpisode.store(true, ordering: .relaxed)
    }

    /// Ends an episode: its writes are gone.
    ///
    /// - Throws: ``SQLError/broken(_:)`` outside of one.
    package func endEpisode() throws(SQLError) {
        hasKept.store(false, ordering: .relaxed)
        isEpisode.store(false, ordering: .relaxed)
        returns.add(1, ordering: .relaxed)
        do { try queue.unsafeReentrantWrite { try $0.rollback() } } catch { throw SQLError(sqlite: error) }
    }

    /// Keeps what is stored now, in place of what was kept before, until the episode ends.
    ///
    /// - Throws: ``SQLError/broken(_:)`` outside of an episode.
    package func keep() throws {
        if hasKept.exchange(true, ordering: .relaxed) { try tell("RELEASE kept") }
        try tell("SAVEPOINT kept")
    }

    /// Goes back to what was kept, as often as wanted.
    ///
    /// - Throws: ``SQLError/broken(_:)`` if nothing was.
    package func goBack() throws {
        returns.add(1, ordering: .relaxed)
        try tell("ROLLBACK TO kept")
    }

    /// A number that is another one whenever something may have been written, or taken back.
    package var version: Int { unsafe release.totalChanges + returns.load(ordering: .relaxed) }

    private func tell(_ statement: String) throws {
        do { try unsafe statements.statement(statement).run() } catch { throw SQLError(sqlite: error) }
    }

    /// Runs a body in a transaction, at once.
    ///
    /// - Throws: what `body` throws, or ``SQLError``; then nothing is stored.
    package func perform<Value>(_ body: (any Session) throws -> Value) throws -> Value {
        try run(isKept: true, body)
    }

    /// Has a body look at what is stored; it may not write.
    ///
    /// A transaction that writes nothing needs no savepoint to go back to, which is a good part of what a small one takes.
    ///
    /// - Throws: what `body` throws, or ``SQLError``; ``SQLError/broken(_:)`` if it wrote something, which is stored then.
    package func look<Value>(_ body: (any Session) throws -> Value) throws -> Value {
        // Outside of an episode a statement may begin a transaction, which GRDB has to hear of.
        guard isEpisode.load(ordering: .relaxed) else { return try run(isKept: true, body) }
        do {
            let before = unsafe release.totalChanges
            let value = try unsafe SQLiteSession(statements).carry(body)
            guard unsafe release.totalChanges == before else { throw SQLError.broken("a look wrote something") }
            return value
        } catch let error as DatabaseError {
            throw SQLError(sqlite: error)
        }
    }

    /// Runs a body in a transaction that is lost, as one is that was in the way of another.
    ///
    /// - Throws: what `body` throws, or ``SQLError``.
    @discardableResult
    package func performInVain<Value>(_ body: (any Session) throws -> Value) throws -> Value {
        try run(isKept: false, body)
    }

    package func write<Value: Sendable>(
        _ body: @escaping @Sendable (any Session) throws -> Value
    ) async throws -> Value {
        try perform(body)
    }

    package func read<Value: Sendable>(
        _ body: @escaping @Sendable (any Session) throws -> Value
    ) async throws -> Value {
        try look(body)
    }

    package func now() async throws -> Int64 { clock() }

    package func scrub() async throws {}

    package func notifications(on channel: String) -> AsyncStream<DatabaseNotification>? { nil }

    private func run<Value>(isKept: Bool, _ body: (any Session) throws -> Value) throws -> Value {
        // What commits has to be on the queue, where GRDB hears of commits; within an episode nothing does.
        guard isEpisode.load(ordering: .relaxed) else {
            return try queue.unsafeReentrantWrite { _ in try runHere(isKept: isKept, body) }
        }
        return try runHere(isKept: isKept, body)
    }

    private func runHere<Value>(isKept: Bool, _ body: (any Session) throws -> Value) throws -> Value {
        do {
            try unsafe savepoint.run()
            let result = Result { try unsafe SQLiteSession(statements).carry(body) }
            if !isKept || (try? result.get()) == nil { try unsafe rollback.run() }
            try unsafe release.run()
            return try result.get()
        } catch let error as DatabaseError {
            throw SQLError(sqlite: error)
        }
    }
}
