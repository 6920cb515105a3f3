import SQL
import SQLiteDatabase
import Synchronization
import Testing
import TributaryTestKit

@Suite("Writes that share a commit", .timeLimit(.minutes(10)))
struct GroupCommitTests {
    private struct Refusal: Error, Equatable {}

    /// How often each body ran.
    private final class Runs: Sendable {
        private let counts = Mutex<[Int: Int]>([:])

        var all: [Int: Int] { counts.withLock { $0 } }

        func count(_ id: Int) {
            counts.withLock { $0[id, default: 0] += 1 }
        }
    }

    @Test("fail alone: one that throws takes only its own changes back")
    func isolatesAThrowingBody() async throws {
        try await withGroup { id, session in
            try session.run(AccountTables.open(id + 100, "second of \(id)"))
            if id == 2 { throw Refusal() }
        } check: { results, runs, names in
            #expect(results == [1: nil, 2: "\(Refusal())", 3: nil])
            #expect(runs == [1: 1, 2: 1, 3: 1])
            #expect(names == ["first", "1", "3", "second of 1", "second of 3"])
        }
    }

    @Test("fail alone: one whose statement is refused leaves the others' changes")
    func isolatesAViolation() async throws {
        let violation = SQLError.uniqueViolation(constraint: "accounts.name")
        try await withGroup { id, session in
            if id == 2 { try session.run(AccountTables.open(200, "first")) }
        } check: { results, runs, names in
            #expect(results == [1: nil, 2: "\(violation)", 3: nil])
            #expect(runs == [1: 1, 2: 1, 3: 1])
            #expect(names == ["first", "1", "3"])
        }
    }

    @Test("fail alone: one that breaks the commit itself has the others run again without it")
    func isolatesADeferredViolation() async throws {
        let violation = SQLError.constraintViolation(constraint: "FOREIGN KEY")
        try await withGroup { id, session in
            if id == 2 { try session.run("INSERT INTO notes (id, account) VALUES (1, \(9_999))") }
        } check: { results, runs, names in
            #expect(results == [1: nil, 2: "\(violation)", 3: nil])
            #expect(runs == [1: 2, 2: 2, 3: 2])
            #expect(names == ["first", "1", "3"])
        }
    }

    @Test("fail alone: one that ends the whole transaction has the others run again without it")
    func isolatesARollback() async throws {
        let violation = SQLError.uniqueViolation(constraint: "accounts.name")
        try await withGroup { id, session in
            if id == 2 { try session.run("INSERT OR ROLLBACK INTO accounts VALUES (200, 'first', 0)") }
        } check: { results, runs, names in
            #expect(results == [1: nil, 2: "\(violation)", 3: nil])
            #expect(runs == [1: 2, 2: 2, 3: 1])
            #expect(names == ["first", "1", "3"])
        }
    }

    /// Holds the writer with one write until three more wait, so that those share the next commit.
    private func withGroup(
        _ body: @escaping @Sendable (Int, any Session) throws -> Void,
        check: ([Int: String?], [Int: Int], [String]) throws -> Void
    ) async throws {
        try await TemporaryFolder.with { folder in
            let database = try SQLiteDatabase(path: folder.path("group.sqlite"))
            try await AccountTables.empty.prepare(database)
            let gate = Gate()
            async let first: Void = database.write { session in
                try session.run(AccountTables.open(0, "first"))
                gate.pass()
            }
            await gate.someoneArrives()
            let runs = Runs()
            let results = try await withThrowingTaskGroup(of: (Int, String?).self) { group in
                for id in 1...3 {
                    group.addTask {
                        do {
                            try await database.write { session in
                                runs.count(id)
                                try session.run(AccountTables.open(id, "\(id)"))
                                try body(id, session)
                            }
                            return (id, nil)
                        } catch {
                            return (id, "\(error)")
                        }
                    }
                    // One behind the other, so that they run in this order.
                    try await eventually { database.waitingWrites >= id }
                }
                // Twice, because a group that falls apart has all its bodies run again.
                gate.open(for: 2)
                return try await group.reduce(into: [Int: String?]()) { $0.updateValue($1.1, forKey: $1.0) }
            }
            try await first
            try check(results, runs.all, try await database.read(AccountTables.names))
            try database.close()
        }
    }

    @Test("wait in a queue that has an end")
    func hasALimit() async throws {
        try await TemporaryFolder.with { folder in
            var limits = SQLiteLimits()
            limits.waitingWrites = 1
            let database = try SQLiteDatabase(path: folder.path("limit.sqlite"), limits: limits)
            let gate = Gate()
            async let running: Void = database.write { _ in gate.pass() }
            await gate.someoneArrives()
            async let waiting: Void = database.write { _ in }
            try await eventually { database.waitingWrites == 1 }
            await #expect(throws: SQLError.unavailable("too many writes wait for the database")) {
                try await database.write { _ in }
            }
            gate.open()
            _ = try await (running, waiting)
            try database.close()
        }
    }
}
