import SQL
import Synchronization

/// A transaction as it went over the wire.
struct RecordedTransaction: Sendable {
    /// Whether it only reads.
    let isRead: Bool
    /// The round trips, each with its statements.
    var steps: [Step] = []

    /// Statements that go out together.
    struct Step: Sendable {
        var statements: [SQL]
    }
}

/// A database that writes down what is sent to the one behind it, and in which round trips.
final class RecordingDatabase: Database {
    private let base: any Database
    private let recorded = Mutex<[RecordedTransaction]>([])

    init(_ base: any Database) { self.base = base }

    var dialect: Dialect { base.dialect }

    /// What was recorded, in the order of the commits.
    var transactions: [RecordedTransaction] { recorded.withLock { $0 } }

    func write<Value: Sendable>(
        _ body: @escaping @Sendable (any Session) throws -> Value
    ) async throws -> Value {
        try await record(isRead: false) { recording in try await base.write(recording(body)) }
    }

    func read<Value: Sendable>(
        _ body: @escaping @Sendable (any Session) throws -> Value
    ) async throws -> Value {
        try await record(isRead: true) { recording in try await base.read(recording(body)) }
    }

    func now() async throws -> Int64 { try await base.now() }

    func scrub() async throws { try await base.scrub() }

    private typealias Body<Value> = @Sendable (any Session) throws -> Value

    private func record<Value: Sendable>(
        isRead: Bool,
        _ run: (@Sendable (@escaping Body<Value>) -> Body<(Value, [RecordedTransaction.Step])>) async throws -> (
            Value, [RecordedTransaction.Step]
        )
    ) async throws -> Value {
        let (value, steps) = try await run { body in
            { session in
                let recorder = RecordingSession(session)
                let value = try body(recorder)
                return (value, recorder.finished)
            }
        }
        recorded.withLock { $0.append(RecordedTransaction(isRead: isRead, steps: steps)) }
        return value
    }
}

/// Writes down what a body sends: queued statements go out with the next read.
private final class RecordingSession: Session {
    private let base: any Session
    private var steps: [RecordedTransaction.Step] = []
    private var queued: [SQL] = []

    init(_ base: any Session) { self.base = base }

    var dialect: Dialect { base.dialect }

    /// Every round trip; what is still queued goes out with the commit.
    var finished: [RecordedTransaction.Step] { steps + [RecordedTransaction.Step(statements: queued)] }

    func rows(_ statement: SQL) throws(SQLError) -> [Row] {
        flush(adding: [statement])
        return try base.rows(statement)
    }

    func rows(_ statements: [SQL]) throws(SQLError) -> [[Row]] {
        flush(adding: statements)
        return try base.rows(statements)
    }

    func run(_ statement: SQL) throws(SQLError) {
        queued.append(statement)
        try base.run(statement)
    }

    func change(_ statement: SQL) throws(SQLError) -> Int {
        flush(adding: [statement])
        return try base.change(statement)
    }

    private func flush(adding statements: [SQL]) {
        steps.append(RecordedTransaction.Step(statements: queued + statements))
        queued = []
    }
}
