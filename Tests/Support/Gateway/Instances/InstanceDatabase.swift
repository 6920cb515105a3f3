package import SQL
import Synchronization

/// One instance's way to the database, which ends with its life and which a test can cut.
package final class InstanceDatabase: Database {
    private let base: any Database
    private let life: InstanceLife
    private let signal: CommitSignal
    private let isCut = Mutex(false)
    private let losesAnswer = Mutex(false)
    private let underWay = Mutex(0)
    private let ending = CommitSignal()

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

    /// Has the answer to the next commit be lost, which is done.
    package func loseAnswer() { losesAnswer.withLock { $0 = true } }

    /// Waits until no transaction is under way: what is committed by then has been counted, too.
    package func drain() async {
        while case let seen = ending.count, underWay.withLock({ $0 }) > 0 { await ending.wait(beyond: seen) }
    }

    package func write<Value: Sendable>(
        _ body: @escaping @Sendable (any Session) throws -> Value
    ) async throws -> Value {
        let number = await life.beginWrite()
        let result = await attempt {
            defer { life.commit(number) }
            return try await base.write(body)
        }
        signal.give()
        await life.pass()
        try requireConnection()
        let value = try result.get()
        let isLost = losesAnswer.withLock { losesAnswer in
            defer { losesAnswer = false }
            return losesAnswer
        }
        guard !isLost else { throw SQLError.unavailable("the commit was not answered") }
        return value
    }

    package func read<Value: Sendable>(
        _ body: @escaping @Sendable (any Session) throws -> Value
    ) async throws -> Value {
        await life.pass()
        let result = await attempt { try await base.read(body) }
        await life.pass()
        try requireConnection()
        return try result.get()
    }

    private func attempt<Value: Sendable>(
        _ transaction: () async throws -> Value
    ) async -> Result<Value, any Error> {
        underWay.withLock { $0 += 1 }
        defer {
            underWay.withLock { $0 -= 1 }
            ending.give()
        }
        do {
            try requireConnection()
            return .success(try await transaction())
        } catch {
            return .failure(error)
        }
    }

    package func now() async throws -> Int64 { try await base.now() }

    package func scrub() async throws { try await base.scrub() }

    package func notifications(on channel: String) -> AsyncStream<DatabaseNotification>? {
        base.notifications(on: channel)
    }

    private func requireConnection() throws(SQLError) {
        if isCut.withLock({ $0 }) || life.isDead { throw .unavailable("cut off by the test") }
    }
}
