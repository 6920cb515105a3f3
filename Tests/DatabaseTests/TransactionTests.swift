import SQL
import Testing
import TributaryTestKit

@Suite("A transaction", .timeLimit(.minutes(10)))
struct TransactionTests {
    private struct Refusal: Error, Equatable {}

    @Test("is there for the next one once it is committed", arguments: DatabaseEngine.allCases)
    func commits(_ engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: AccountTables.empty) { database in
            let answer = try await database.write { session in
                try session.run(AccountTables.open(1, "a"))
                return "done"
            }
            #expect(answer == "done")
            #expect(try await database.read(AccountTables.names) == ["a"])
        }
    }

    @Test("leaves nothing behind when its body throws", arguments: DatabaseEngine.allCases)
    func rollsBack(_ engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: AccountTables.filled) { database in
            await #expect(throws: Refusal()) {
                try await database.write { session in
                    try session.run(AccountTables.open(3, "c"))
                    #expect(try AccountTables.names(session) == ["a", "b", "c"])
                    try session.run(AccountTables.open(4, "d"))
                    throw Refusal()
                }
            }
            let names = try await database.read(AccountTables.names)
            #expect(names == ["a", "b"])
        }
    }

    @Test("may do nothing at all", arguments: DatabaseEngine.allCases)
    func doesNothing(_ engine: DatabaseEngine) async throws {
        try await withDatabase(engine) { database in
            let answer = try await database.write { _ in 1 }
            #expect(answer == 1)
            let found = try await database.read { session in try session.rows([]).count }
            #expect(found == 0)
        }
    }

    @Test("reads what it has written, queued or not", arguments: DatabaseEngine.allCases)
    func readsItsWrites(_ engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: AccountTables.filled) { database in
            let seen = try await database.write { session in
                try session.run("UPDATE accounts SET balance = 7 WHERE id = \(1)")
                try session.run("UPDATE accounts SET balance = balance + 1 WHERE id = \(1)")
                return try AccountTables.balance(of: 1, session)
            }
            #expect(seen == 8)
        }
    }

    @Test("answers several queries in their order", arguments: DatabaseEngine.allCases)
    func answersInOrder(_ engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: AccountTables.filled) { database in
            let answers = try await database.write { session in
                try session.run(AccountTables.open(3, "c"))
                return try session.rows([
                    "SELECT name FROM accounts WHERE id = \(2)", "SELECT name FROM accounts WHERE id = \(9)",
                    "SELECT name FROM accounts WHERE id IN (\(list: [.integer(3), .integer(1)])) ORDER BY id",
                ]).map { rows in try rows.map { row in try row.text("name") } }
            }
            #expect(answers == [["b"], [], ["a", "c"]])
        }
    }

    @Test("answers each query in its own place", arguments: DatabaseEngine.allCases)
    func answersInPlace(_ engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: AccountTables.filled) { database in
            let numbers = try await database.read { session in
                func query(_ number: Int) -> SQL { "SELECT id FROM accounts WHERE id <= \(number) ORDER BY id" }
                let (a, b) = try session.rows(query(2), query(1))
                let (c, d, e) = try session.rows(query(0), query(2), query(1))
                let (f, g, h, i) = try session.rows(query(1), query(0), query(2), query(1))
                let (j, k, l, m, n) = try session.rows(query(0), query(1), query(2), query(0), query(2))
                return [[a, b], [c, d, e], [f, g, h, i], [j, k, l, m, n]].map { $0.map(\.count) }
            }
            #expect(numbers == [[2, 1], [0, 2, 1], [1, 0, 2, 1], [0, 1, 2, 0, 2]])
        }
    }

    @Test("counts the rows a statement changes", arguments: DatabaseEngine.allCases)
    func countsChanges(_ engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: AccountTables.filled) { database in
            let counts = try await database.write { session in
                try session.run(AccountTables.open(3, "c"))
                return [
                    try session.change("UPDATE accounts SET balance = 5"),
                    try session.change("UPDATE accounts SET balance = 6 WHERE balance = \(4)"),
                    try session.change("INSERT INTO accounts VALUES (1, 'x', 0) ON CONFLICT (id) DO NOTHING"),
                    try session.change("CREATE TABLE other (id INTEGER)"),
                    try session.change("DELETE FROM accounts WHERE id > \(1)"),
                ]
            }
            #expect(counts == [3, 0, 0, 0, 2])
        }
    }

    @Test("is over after an error, even one that its body ignores", arguments: DatabaseEngine.allCases)
    func endsWithAnError(_ engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: AccountTables.filled) { database in
            await #expect(throws: uniqueName(engine)) {
                try await database.write { session in
                    try session.run(AccountTables.open(3, "c"))
                    #expect(throws: uniqueName(engine)) { try session.change(AccountTables.open(4, "a")) }
                    let refusal = SQLError.broken("the session was used after its transaction or an error")
                    #expect(throws: refusal) { try session.rows("SELECT 1 AS one") }
                    #expect(throws: refusal) { try session.run(AccountTables.open(5, "e")) }
                }
            }
            let names = try await database.read(AccountTables.names)
            #expect(names == ["a", "b"])
        }
    }

    @Test("fails at its end with the error of a queued statement", arguments: DatabaseEngine.allCases)
    func failsAtItsEnd(_ engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: AccountTables.filled) { database in
            await #expect(throws: uniqueName(engine)) {
                try await database.write { session in
                    try session.run(AccountTables.open(3, "c"))
                    try session.run(AccountTables.open(4, "a"))
                }
            }
            let names = try await database.read(AccountTables.names)
            #expect(names == ["a", "b"])
        }
    }

    @Test("that only reads refuses to write", arguments: DatabaseEngine.allCases)
    func readsOnly(_ engine: DatabaseEngine) async throws {
        let refusals: [DatabaseEngine: SQLError] = [
            .sqlite: .broken("attempt to write a readonly database"),
            .postgres: .broken("PostgreSQL refused a statement (SQLSTATE 25006)"),
        ]
        let refusal = try #require(refusals[engine])
        try await withDatabase(engine, prepare: AccountTables.filled) { database in
            await #expect(throws: refusal) {
                _ = try await database.read { session in try session.change(AccountTables.open(3, "c")) }
            }
            let names = try await database.read(AccountTables.names)
            #expect(names == ["a", "b"])
        }
    }

    @Test("that only reads sees one snapshot", arguments: DatabaseEngine.allCases)
    func readsOneSnapshot(_ engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: AccountTables.filled) { database in
            let gate = Gate()
            async let seen = database.read { session in
                let before = try AccountTables.names(session)
                gate.pass()
                return [before, try AccountTables.names(session)]
            }
            await gate.someoneArrives()
            try await database.write { session in try session.run(AccountTables.open(3, "c")) }
            gate.open()
            #expect(try await seen == [["a", "b"], ["a", "b"]])
            #expect(try await database.read(AccountTables.names) == ["a", "b", "c"])
        }
    }

    @Test("outlives the database's closing", arguments: DatabaseEngine.allCases)
    func isDurable(_ engine: DatabaseEngine) async throws {
        try await DatabaseLocation.with(engine, prepare: AccountTables.empty) { location in
            try await location.withOpen { database in
                try await database.write { session in try session.run(AccountTables.open(1, "a")) }
            }
            let names = try await location.withOpen { try await $0.read(AccountTables.names) }
            #expect(names == ["a"])
        }
    }

    @Test("knows the database's clock", arguments: DatabaseEngine.allCases)
    func tellsTheTime(_ engine: DatabaseEngine) async throws {
        try await withDatabase(engine) { database in
            let first = try await database.now()
            let second = try await database.now()
            // Microseconds of the years 2024 to 2100.
            #expect((1_704_067_200_000_000..<4_102_444_800_000_000).contains(first))
            #expect((first..<first + 60_000_000).contains(second))
        }
    }

    private func uniqueName(_ engine: DatabaseEngine) -> SQLError {
        switch engine {
        case .sqlite: .uniqueViolation(constraint: "accounts.name")
        case .postgres: .uniqueViolation(constraint: "accounts_name_unique")
        }
    }
}
