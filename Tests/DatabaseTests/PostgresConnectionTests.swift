import PostgresDatabase
import SQL
import Testing
import TributaryTestKit

@Suite("A PostgreSQL connection", .timeLimit(.minutes(10)))
struct PostgresConnectionTests {
    /// Lends a database of so many connections, with limits as given.
    private func withPostgres(
        connections: Int = 1,
        _ change: (inout PostgresLimits) -> Void = { _ in },
        _ body: (PostgresDatabase) async throws -> Void
    ) async throws {
        var limits = PostgresLimits()
        change(&limits)
        try await DatabaseLocation.with(.postgres, prepare: AccountTables.filled) { location in
            guard case .postgres(let url) = location else { return }
            let database = try PostgresDatabase(url: url, connections: connections, limits: limits)
            try await body(database)
            await database.close()
        }
    }

    private static func backend(_ session: any Session) throws -> Int64 {
        try session.rows("SELECT pg_backend_pid() AS id")[0].integer("id")
    }

    @Test("that the server ends within a transaction is unavailable, then replaced")
    func recoversFromKilling() async throws {
        try await withPostgres { database in
            let error = try await #require(throws: SQLError.self) {
                _ = try await database.write { session in
                    try session.run(AccountTables.open(3, "c"))
                    return try session.rows("SELECT CAST(pg_terminate_backend(pg_backend_pid()) AS TEXT) AS ended")
                }
            }
            // Whether its last words are read before the end of the connection is a matter of time.
            #expect(
                [
                    SQLError.unavailable("PostgreSQL cannot serve now (SQLSTATE 57P01)"),
                    .unavailable("the connection to PostgreSQL is lost"),
                ].contains(error)
            )
            let names = try await database.read(AccountTables.names)
            #expect(names == ["a", "b"])
        }
    }

    @Test("that the server ends while it lies idle is replaced without an error")
    func recoversFromIdleKilling() async throws {
        try await withPostgres { database in
            let first = try await database.write { try Self.backend($0) }
            try await withOther(database) { other in
                try await other.write { try $0.run("SELECT pg_terminate_backend(CAST(\(first) AS INT))") }
                let isThere: SQL = "SELECT pid FROM pg_stat_activity WHERE pid = CAST(\(first) AS INT)"
                try await eventually { try await other.read { try $0.rows(isThere).isEmpty } }
            }
            let second = try await database.write { try Self.backend($0) }
            #expect(first != second)
        }
    }

    private func withOther(_ database: PostgresDatabase, _ body: (PostgresDatabase) async throws -> Void) async throws {
        let other = try PostgresDatabase(url: database.url.text, connections: 1)
        try await body(other)
        await other.close()
    }

    @Test("carries a body out again after a serialization failure, a limited number of times")
    func limitsRetries() async throws {
        let runs = Gate()
        runs.open(for: 3)
        try await withPostgres { limits in
            limits.serializationRetries = 2
            limits.retryPauseMilliseconds = 0
        } _: { database in
            await #expect(throws: SQLError.serializationFailure) {
                try await database.write { session in
                    runs.pass()
                    try session.run("DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '40001'; END $$")
                }
            }
        }
        #expect(runs.count == 3)
    }

    @Test("breaks off a statement that takes too long, and goes on")
    func limitsStatements() async throws {
        try await withPostgres { limits in
            limits.statementMilliseconds = 2_000
        } _: { database in
            await #expect(throws: SQLError.unavailable("a statement took too long")) {
                try await database.write { try $0.run("SELECT pg_sleep(60)") }
            }
            let names = try await database.read(AccountTables.names)
            #expect(names == ["a", "b"])
        }
    }

    @Test("breaks off a wait for a lock")
    func limitsLocks() async throws {
        try await withPostgres(connections: 2) { limits in
            limits.lockMilliseconds = 20
        } _: { database in
            let gate = Gate()
            async let holding: Void = database.write { session in
                _ = try AccountTables.balance(of: 1, locking: true, session)
                gate.pass()
            }
            await gate.someoneArrives()
            await #expect(throws: SQLError.unavailable("another transaction kept a lock too long")) {
                _ = try await database.write { try AccountTables.balance(of: 1, locking: true, $0) }
            }
            gate.open()
            try await holding
        }
    }

    @Test("keeps a bounded number of statements prepared, all of them right")
    func boundsStatements() async throws {
        try await withPostgres { limits in
            limits.preparedStatements = 4
        } _: { database in
            for number in Array(0..<30) + Array(0..<30) {
                let statement = SQL(stringLiteral: "SELECT \(number) AS number")
                #expect(try await database.write { try $0.rows(statement)[0].integer("number") } == Int64(number))
            }
            let kept = try await database.write { session in
                try session.rows("SELECT name FROM pg_prepared_statements").count
            }
            for number in 0..<10 {
                let statement = SQL(stringLiteral: "SELECT \(number) AS number")
                #expect(try await database.read { try $0.rows(statement)[0].integer("number") } == Int64(number))
            }
            // The last connection's: its settings, BEGIN, what reached the bound, and what this transaction added.
            #expect(kept <= 7)
        }
    }

    @Test("holds no name against a statement that failed in a pipeline longer than the bound")
    func survivesLongFailingPipelines() async throws {
        try await withPostgres { limits in
            limits.preparedStatements = 2
        } _: { database in
            let statements = [1, 2, 3, 0, 4, 5, 6].map { number in
                number == 0 ? "SELECT 1 FROM nowhere" : SQL(stringLiteral: "SELECT \(number) AS number")
            }
            for _ in 0..<2 {
                await #expect(throws: SQLError.broken("relation \"nowhere\" does not exist (SQLSTATE 42P01)")) {
                    _ = try await database.write { try $0.rows(statements).count }
                }
                let names = try await database.read(AccountTables.names)
                #expect(names == ["a", "b"])
            }
        }
    }

    @Test("notices that a table has other columns than when its statement was prepared")
    func preparesAnew() async throws {
        try await withPostgres { database in
            let all: SQL = "SELECT * FROM accounts WHERE id = \(1)"
            #expect(try await database.read { try $0.rows(all)[0].text("name") } == "a")
            try await withOther(database) { other in
                try await other.write { try $0.run("ALTER TABLE accounts ADD COLUMN extra BIGINT DEFAULT 7") }
            }
            #expect(try await database.write { try $0.rows(all)[0].integer("extra") } == 7)
        }
    }

    @Test("prepares a statement again that failed to be prepared")
    func forgetsFailedStatements() async throws {
        try await withPostgres { database in
            let early: SQL = "SELECT id FROM later"
            for _ in 0..<2 {
                await #expect(throws: SQLError.broken("relation \"later\" does not exist (SQLSTATE 42P01)")) {
                    _ = try await database.write { try $0.rows([early, "SELECT 1 AS one"]).count }
                }
            }
            try await database.write { try $0.run("CREATE TABLE later (id BIGINT)") }
            #expect(try await database.write { try $0.rows([early, "SELECT 1 AS one"]).map(\.count) } == [0, 1])
        }
    }

    @Test("commits whatever a queued statement answers")
    func ignoresQueuedAnswers() async throws {
        try await withPostgres { database in
            try await database.write { session in
                try session.run("SELECT 0.5 AS half, TRUE AS yes")
                try session.run(AccountTables.open(3, "c"))
            }
            let names = try await database.read(AccountTables.names)
            #expect(names == ["a", "b", "c"])
        }
    }

    @Test("sends a long queue of writes in several trips")
    func sendsLongQueues() async throws {
        try await withPostgres { database in
            let padding = String(repeating: "x", count: 2_000)
            try await database.write { session in
                for id in 10..<2_010 { try session.run(AccountTables.open(id, "\(id) \(padding)")) }
            }
            #expect(try await database.read(AccountTables.names).count == 2_002)
        }
    }

    @Test("waits for the server's disk, and limits what the server does")
    func setsTheServer() async throws {
        try await withPostgres { database in
            let settings = try await database.read { session in
                try ["synchronous_commit", "statement_timeout", "lock_timeout", "application_name"].map { name in
                    try session.rows("SELECT current_setting(\(name)) AS value")[0].text("value")
                }
            }
            #expect(settings == ["on", "30s", "10s", "tributary"])
        }
    }
}
