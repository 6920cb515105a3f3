import SQL
import Synchronization

import class GRDB.DatabasePool

/// Lets waiting writes share one commit, because a commit costs a wait for the disk and a body hardly anything.
///
/// Each body runs in a savepoint of its own, so one that throws takes only its own changes back. All are answered
/// after the commit, those that threw too: they may have seen what a neighbour wrote. A caller that comes alone is
/// committed at once.
final class GroupCommit: Sendable {
    private struct Waiting {
        var writes: [any WaitingWrite] = []
        var isDraining = false
    }

    private let pool: DatabasePool
    private let limits: SQLiteLimits
    private let statements: StatementAdmission
    private let waiting = Mutex(Waiting())

    init(_ pool: DatabasePool, _ limits: SQLiteLimits, _ statements: StatementAdmission) {
        self.pool = pool
        self.limits = limits
        self.statements = statements
    }

    /// How many writes wait to be taken into a group.
    var count: Int { waiting.withLock { $0.writes.count } }

    /// Queues a write; it is answered once its commit is on disk.
    func add(_ write: any WaitingWrite) {
        enum Place {
            case first
            case behind
            case none
        }
        let place: Place = waiting.withLock { waiting in
            guard waiting.writes.count < limits.waitingWrites else { return .none }
            waiting.writes.append(write)
            if waiting.isDraining { return .behind }
            waiting.isDraining = true
            return .first
        }
        switch place {
        case .first: pool.asyncWriteWithoutTransaction { [self] connection in drain(connection) }
        case .behind: break
        case .none: write.answer(.unavailable("too many writes wait for the database"))
        }
    }

    /// Commits group after group until nobody waits.
    private func drain(_ connection: SQLiteConnection) {
        while stillWaiting() { commitGroup(connection) }
    }

    private func stillWaiting() -> Bool {
        waiting.withLock { waiting in
            waiting.isDraining = !waiting.writes.isEmpty
            return waiting.isDraining
        }
    }

    /// Takes the writes that wait now, up to `count`, in the order they came.
    private func take(_ count: Int) -> [any WaitingWrite] {
        waiting.withLock { waiting in
            let taken = Array(waiting.writes.prefix(count))
            waiting.writes.removeFirst(taken.count)
            return taken
        }
    }

    private func commitGroup(_ connection: SQLiteConnection) {
        do {
            try connection.beginTransaction(.immediate)
        } catch {
            for write in take(limits.waitingWrites) { write.answer(SQLError(sqlite: error)) }
            return
        }
        var group: [any WaitingWrite] = []
        var stands = true
        // Those who come while the bodies run join as long as there is room.
        while stands, group.count < limits.writesPerCommit, case let next = take(limits.writesPerCommit - group.count),
            !next.isEmpty
        {
            group += next
            stands = next.allSatisfy { runInSavepoint($0, connection) }
        }
        finish(group, stands ? commit(connection) : .fellApart, connection)
    }

    private enum Ending {
        case committed
        /// Nothing is stored: a body's error ended the whole transaction, or a deferred constraint refused the commit.
        case fellApart
        /// The disk failed in the commit; whether it is stored is not known.
        case failed(SQLError)
    }

    private func finish(_ group: [any WaitingWrite], _ ending: Ending, _ connection: SQLiteConnection) {
        switch ending {
        case .committed: for write in group { write.answer(nil) }
        case .failed(let failure): for write in group { write.answer(failure) }
        case .fellApart: for write in group { runAlone(write, connection) }
        }
    }

    /// Runs one body; answers false if the whole transaction is gone with it.
    private func runInSavepoint(_ write: any WaitingWrite, _ connection: SQLiteConnection) -> Bool {
        do {
            try statements.statement("SAVEPOINT body", on: connection).run()
            if !write.run(in: SQLiteSession(connection, statements)) {
                guard connection.isInsideTransaction else { return false }
                try statements.statement("ROLLBACK TO body", on: connection).run()
            }
            try statements.statement("RELEASE body", on: connection).run()
            return connection.isInsideTransaction
        } catch {
            return false
        }
    }

    private func commit(_ connection: SQLiteConnection) -> Ending {
        do {
            try connection.commit()
            return .committed
        } catch {
            rollBack(connection)
            let failure = SQLError(sqlite: error)
            if case .unavailable = failure { return .failed(failure) }
            return .fellApart
        }
    }

    /// Gives a write of a group that fell apart a transaction of its own, so that only the guilty one fails.
    private func runAlone(_ write: any WaitingWrite, _ connection: SQLiteConnection) {
        rollBack(connection)
        do {
            try connection.beginTransaction(.immediate)
            guard write.run(in: SQLiteSession(connection, statements)) else {
                rollBack(connection)
                return write.answer(nil)
            }
            try connection.commit()
            write.answer(nil)
        } catch {
            rollBack(connection)
            write.answer(SQLError(sqlite: error))
        }
    }

    /// Ends the open transaction, if there is one.
    ///
    /// An error here means that SQLite has ended it already.
    private func rollBack(_ connection: SQLiteConnection) {
        guard connection.isInsideTransaction else { return }
        try? connection.rollback()
    }
}

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
