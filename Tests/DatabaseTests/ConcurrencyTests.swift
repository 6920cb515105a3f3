import SQL
import Testing
import TributaryTestKit

@Suite("Transactions at the same time", .timeLimit(.minutes(10)))
struct ConcurrencyTests {
    @Test("lose no update of a row they lock and read first", arguments: DatabaseEngine.allCases)
    func losesNoUpdate(_ engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: AccountTables.filled) { database in
            try await withThrowingTaskGroup { group in
                for _ in 0..<2 {
                    group.addTask {
                        for _ in 0..<50 { try await Self.deposit(1, to: 1, in: database) }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await database.read { try AccountTables.balance(of: 1, $0) } == 200)
        }
    }

    private static func deposit(_ amount: Int64, to id: Int, in database: any Database) async throws {
        try await database.write { session in
            let balance = try #require(try AccountTables.balance(of: id, locking: true, session))
            try session.run("UPDATE accounts SET balance = \(balance + amount) WHERE id = \(id)")
        }
    }

    @Test("let one of two win a compare-and-set", arguments: DatabaseEngine.allCases)
    func letsOneWin(_ engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: AccountTables.filled) { database in
            let won = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<16 {
                    group.addTask {
                        try await database.write { session in
                            try session.change("UPDATE accounts SET balance = 0 WHERE id = 1 AND balance = \(100)")
                        }
                    }
                }
                return try await group.reduce(0, +)
            }
            #expect(won == 1)
        }
    }

    @Test("are all served, 64 of them on a few connections", arguments: DatabaseEngine.allCases)
    func servesMany(_ engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: AccountTables.empty) { database in
            let answers = try await withThrowingTaskGroup(of: [Int].self) { group in
                for writer in 0..<64 {
                    group.addTask {
                        var seen: [Int] = []
                        for turn in 0..<4 {
                            let id = writer * 4 + turn
                            seen.append(
                                try await database.write { session in
                                    try session.run(AccountTables.open(id, "account \(id)"))
                                    return try session.rows("SELECT id FROM accounts WHERE id = \(id)").count
                                }
                            )
                        }
                        return seen
                    }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            #expect(answers == Array(repeating: 1, count: 256))
            let rows = try await database.read { try $0.rows("SELECT count(*) AS number FROM accounts") }
            #expect(try rows.first?.integer("number") == 256)
        }
    }

    @Test("see nothing of one another before the commit", arguments: DatabaseEngine.allCases)
    func isolates(_ engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: AccountTables.filled) { database in
            let gate = Gate()
            async let writing: Void = database.write { session in
                try session.run(AccountTables.open(3, "c"))
                _ = try AccountTables.names(session)
                gate.pass()
            }
            await gate.someoneArrives()
            #expect(try await database.read(AccountTables.names) == ["a", "b"])
            gate.open()
            try await writing
            #expect(try await database.read(AccountTables.names) == ["a", "b", "c"])
        }
    }

    @Test("that deadlock on PostgreSQL are both carried out, one of them again")
    func resolvesDeadlocks() async throws {
        try await withDatabase(.postgres, prepare: AccountTables.filled) { database in
            let here = Gate()
            let there = Gate()
            async let one: Void = Self.transfer(from: 1, to: 2, here, in: database)
            async let other: Void = Self.transfer(from: 2, to: 1, there, in: database)
            await here.someoneArrives()
            await there.someoneArrives()
            // Each holds its first row now. The one that is run again finds its gate open.
            here.open(for: 2)
            there.open(for: 2)
            _ = try await (one, other)
            #expect(here.count + there.count == 3)
            let balances = try await database.read { session in
                [try AccountTables.balance(of: 1, session), try AccountTables.balance(of: 2, session)]
            }
            #expect(balances == [100, 100])
        }
    }

    private static func transfer(
        from source: Int,
        to target: Int,
        _ gate: Gate,
        in database: any Database
    ) async throws {
        try await database.write { session in
            try session.run("SELECT set_config('deadlock_timeout', '20ms', true)")
            _ = try session.change("UPDATE accounts SET balance = balance - 1 WHERE id = \(source)")
            gate.pass()
            _ = try session.change("UPDATE accounts SET balance = balance + 1 WHERE id = \(target)")
        }
    }
}
