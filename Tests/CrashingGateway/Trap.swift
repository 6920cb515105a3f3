import AdapterKit
import Gateway
import Glibc
import SQL
import Synchronization

/// The one place where the program dies.
final class Trap: Sendable {
    /// The kinds of places at which it can die.
    enum Moment: String, CaseIterable {
        /// A transaction's statements are with the database, its commit is not.
        case beforeCommit = "before_commit"
        /// A transaction is committed, and nobody has been told.
        case afterCommit = "after_commit"
        /// A request to a PSP or an endpoint is written, and has not left.
        case beforeSend = "before_send"
        /// A PSP or an endpoint has answered, and nobody has been told.
        case afterSend = "after_send"
    }

    private let moment: Moment?
    private let number: Int
    private let passed = Atomic(0)

    /// A trap at the place of that kind that is reached for the `number`-th time; none if `moment` is nil.
    init(_ moment: Moment?, number: Int) {
        self.moment = moment
        self.number = number
    }

    /// Comes to a place, and dies there if it is the one.
    func pass(_ moment: Moment) {
        if isReached(moment) { die() }
    }

    /// The same, but calls `last` first.
    func pass(_ moment: Moment, last: () throws -> Void) rethrows {
        guard isReached(moment) else { return }
        try last()
        die()
    }

    private func isReached(_ moment: Moment) -> Bool {
        moment == self.moment && passed.add(1, ordering: .sequentiallyConsistent).newValue == number
    }

    private func die() -> Never {
        kill(getpid(), SIGKILL)
        while true { pause() }
    }
}

/// A database around whose commits there are traps.
struct TrappedDatabase: Database {
    let base: any Database
    let trap: Trap

    var dialect: Dialect { base.dialect }

    func write<Value: Sendable>(_ body: @escaping @Sendable (any Session) throws -> Value) async throws -> Value {
        let value = try await base.write { [trap] session in
            let value = try body(session)
            // A question makes the session send what it has queued.
            try trap.pass(.beforeCommit) { _ = try session.rows("SELECT 1 AS one") }
            return value
        }
        trap.pass(.afterCommit)
        return value
    }

    func read<Value: Sendable>(_ body: @escaping @Sendable (any Session) throws -> Value) async throws -> Value {
        try await base.read(body)
    }

    func now() async throws -> Int64 { try await base.now() }

    func scrub() async throws { try await base.scrub() }

    func notifications(on channel: String) -> AsyncStream<DatabaseNotification>? { base.notifications(on: channel) }
}

/// A way to PSPs with a trap before it and one behind it.
struct TrappedSender: Sender {
    let base: any Sender
    let trap: Trap

    func send(_ request: WireRequest, _ terms: SendTerms) async -> SendResult {
        trap.pass(.beforeSend)
        let result = await base.send(request, terms)
        trap.pass(.afterSend)
        return result
    }
}
