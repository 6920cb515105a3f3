import PostgresDatabase
import SQL
import Testing
import TributaryTestKit

@Suite("The PostgreSQL connections", .timeLimit(.minutes(10)))
struct PostgresPoolTests {
    @Test("are waited for by a limited number of transactions")
    func limitsWaiting() async throws {
        var limits = PostgresLimits()
        limits.waitingTransactions = 1
        let url = try await PostgresCluster.createDatabase()
        let database = try PostgresDatabase(url: url, connections: 1, limits: limits)
        let gate = Gate()
        async let running: Void = database.write { _ in gate.pass() }
        await gate.someoneArrives()
        async let waiting = database.write { try $0.rows("SELECT 1 AS one").count }
        try await eventually { database.waitingTransactions == 1 }
        await #expect(throws: SQLError.unavailable("too many transactions wait for a connection")) {
            try await database.write { _ in }
        }
        gate.open()
        #expect(try await waiting == 1)
        try await running
        await database.close()
        try await PostgresCluster.dropDatabase(url)
    }

    @Test("are not waited for longer than the limit")
    func limitsTheWait() async throws {
        var limits = PostgresLimits()
        limits.waitSeconds = 0
        let database = try PostgresDatabase(url: "postgres://127.0.0.1:1/none", connections: 1, limits: limits)
        await #expect(throws: SQLError.unavailable("no connection became free in time")) {
            try await database.write { _ in }
        }
    }

    @Test("finish what was accepted before they are closed, and take nothing more")
    func closesInOrder() async throws {
        let url = try await PostgresCluster.createDatabase()
        let database = try PostgresDatabase(url: url, connections: 1)
        let gate = Gate()
        async let running: Void = database.write { _ in gate.pass() }
        await gate.someoneArrives()
        async let waiting = database.write { try $0.rows("SELECT 1 AS one").count }
        try await eventually { database.waitingTransactions == 1 }
        async let closing: Void = database.close()
        gate.open()
        _ = try await (running, waiting)
        await closing
        await database.close()
        await #expect(throws: SQLError.unavailable("the database is closed")) { try await database.write { _ in } }
        try await PostgresCluster.dropDatabase(url)
    }

    @Test("that are open serve all transactions where the server gives no more")
    func servesWithWhatIsOpen() async throws {
        let url = try await PostgresCluster.createDatabase()
        let other = try await PostgresCluster.createDatabase()
        let administration = try PostgresDatabase(url: other, connections: 1)
        var limits = PostgresLimits()
        limits.reconnectPauseMilliseconds = 20
        let database = try PostgresDatabase(url: url, connections: 4, limits: limits)
        #expect(try await database.now() > 0)
        let name = try PostgresURL(url).database
        try await administration.runOutsideTransaction(
            SQL(stringLiteral: "ALTER DATABASE \(name) ALLOW_CONNECTIONS false")
        )
        let answers = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<40 {
                group.addTask {
                    var count = 0
                    for _ in 0..<5 {
                        let one = try? await database.write { try $0.rows("SELECT pg_sleep(0.002)").count }
                        count += one ?? 0
                    }
                    return count
                }
            }
            return await group.reduce(0, +)
        }
        #expect(answers == 200)
        await database.close()
        await administration.close()
        for url in [url, other] { try await PostgresCluster.dropDatabase(url) }
    }

    @Test("to a server that is not there are unavailable, and say so without the password")
    func reportsOutages() async throws {
        let database = try PostgresDatabase(url: "postgres://me:hidden@127.0.0.1:1/none", connections: 1)
        for _ in 0..<2 {
            let error = try await #require(throws: SQLError.self) { _ = try await database.now() }
            guard case .unavailable(let reason) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(reason.contains("Connection refused"))
            #expect(!reason.contains("hidden"))
        }
    }

    @Test("are refused with a wrong password, which is not repeated")
    func hidesPasswords() async throws {
        let url = try await PostgresCluster.createDatabase()
        let server = try #require(url.split(separator: "@").last)
        let database = try PostgresDatabase(url: "postgres://postgres:hidden@\(server)", connections: 1)
        let error = try await #require(throws: SQLError.self) { _ = try await database.now() }
        #expect("\(error)".contains("password authentication failed"))
        #expect(!"\(error)".contains("hidden"))
        await database.close()
        try await PostgresCluster.dropDatabase(url)
    }

    @Test(
        "need a URL that can be read, and an unreadable one is not repeated",
        arguments: [
            "", "sqlite:x", "host=127.0.0.1", "postgres://u:hidden@h:port:x/db", "postgres://h/db?passwrd=hidden",
            "postgres://%", "postgres://u:hid@den@h/db", "postgres://u:hid@den/x@h/db",
        ]
    )
    func refusesURLs(_ url: String) throws {
        let error = try #require(throws: SQLError.self) { try PostgresDatabase(url: url, connections: 1) }
        #expect(
            [
                .broken("a PostgreSQL URL begins with postgres://"), .broken("the PostgreSQL URL cannot be read"),
            ].contains(error)
        )
    }

    @Test("are described by a URL's host and database alone")
    func describesURLs() throws {
        let url = try PostgresURL("postgresql://me:hidden@127.0.0.1:5432/one?sslmode=disable")
        #expect(url.description == "PostgreSQL database one at 127.0.0.1")
        #expect(url.isLoopback)
        let other = try url.naming(database: "two")
        #expect(other.text == "postgresql://me:hidden@127.0.0.1:5432/two?sslmode=disable")
        #expect(try PostgresURL("postgres://h").naming(database: "two").text == "postgres://h/two")
        #expect(try !PostgresURL("postgres://db.example/one").isLoopback)
        #expect(try !PostgresURL("postgres://127.0.0.1,db.example/one").isLoopback)
        #expect(try !PostgresURL("postgres:///one?host=localhost&hostaddr=10.0.0.1").isLoopback)
        #expect(try !PostgresURL("postgres:///one").isLoopback)
    }

    static let protections: [(String, PostgresURL.Protection)] = [
        ("postgres://127.0.0.1/one", .local), ("postgres://localhost:5433/one?sslmode=prefer", .local),
        ("postgres://[::1]/one", .local), ("postgres:///one?host=/var/run/postgresql", .local),
        ("postgres://db.example/one", .unsaid), ("postgres://10.0.0.7/one?sslmode=prefer", .unsaid),
        ("postgres://db.example/one?sslmode=allow", .unsaid), ("postgres://127.0.0.1,db.example/one", .unsaid),
        ("postgres:///one?host=localhost&hostaddr=10.0.0.1", .unsaid), ("postgres:///one?service=books", .unsaid),
        ("postgres://db.example/one?sslmode=disable", .none), ("postgres://db.example/one?sslmode=require", .encrypted),
        ("postgres://db.example/one?sslmode=verify-full", .encrypted),
    ]

    @Test("goes over a network in the clear only if its URL says so", arguments: protections)
    func protection(_ text: String, _ expected: PostgresURL.Protection) throws {
        let url = try PostgresURL(text)
        #expect(url.protection == expected)
        guard expected == .unsaid else { return try url.requireProtection() }
        let refusal = #expect(throws: SQLError.self) { try PostgresDatabase(url: text, connections: 1) }
        #expect("\(try #require(refusal))".contains("sslmode=verify-full"))
    }
}
