package import SQL
import Synchronization

/// One instance's way to the database, which ends with its life and which a test can cut.
package final class InstanceDatabase: Database {
    private let base: any Database
    private let life: InstanceLife
    private let signal: CommitSignal
    private let isCut = Mutex(false)

    /// A way to `base` for an instance with that life; `signal` is given after each transaction that wrote.
    package init(_ base: any Database, life: InstanceLife, signal: CommitSignal) {
        self.base = base
        self.life = life
        self.signal = signal
    }

    package var dialect: Dialect { base.dialect }

    /// Makes the database unreachable from now on.
    package func cut() { isCut.withLock { $0 = true } }

    /// Makes it reachable again.
    package func mend() { isCut.withLock { $0 = false } }

    package func write<Value: Sendable>(
        _ body: @escaping @Sendable (any Session) throws -> Value
    ) async throws -> Value {
        let number = await life.beginWrite()
        try requireConnection()
        let result: Result<Value, any Error>
        do { result = .success(try await base.write(body)) } catch { result = .failure(error) }
        signal.give()
        await life.endWrite(number)
        try requireConnection()
        return try result.get()
    }

    package func read<Value: Sendable>(
        _ body: @escaping @Sendable (any Session) throws -> Value
    ) async throws -> Value {
        await life.pass()
        try requireConnection()
        let value = try await base.read(body)
        await life.pass()
        try requireConnection()
        return value
    }

    package func now() async throws -> Int64 { try await base.now() }

    private func requireConnection() throws(SQLError) {
        if isCut.withLock({ $0 }) || life.isDead { throw .unavailable("cut off by the test") }
    }
}
