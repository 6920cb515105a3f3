import SQL
import Synchronization

/// A write that waits for its turn and then for the commit it shares.
protocol WaitingWrite: Sendable {
    /// Runs the body, keeping its value or error; answers whether its changes stand.
    func run(in session: SQLiteSession) -> Bool

    /// Resumes the caller: with what the body gave, or with the failure of the commit.
    func answer(_ failure: SQLError?)
}

/// The write of one caller.
final class CallersWrite<Value: Sendable>: WaitingWrite {
    private let body: @Sendable (any Session) throws -> Value
    private let caller: CheckedContinuation<Value, any Error>
    private let outcome: Mutex<Result<Value, any Error>>

    init(_ caller: CheckedContinuation<Value, any Error>, _ body: @escaping @Sendable (any Session) throws -> Value) {
        self.caller = caller
        self.body = body
        outcome = Mutex(.failure(SQLError.broken("the transaction never ran")))
    }

    func run(in session: SQLiteSession) -> Bool {
        let result = Result { try session.carry(body) }
        outcome.withLock { $0 = result }
        return (try? result.get()) != nil
    }

    func answer(_ failure: SQLError?) {
        if let failure { return caller.resume(throwing: failure) }
        caller.resume(with: outcome.withLock { $0 })
    }
}
