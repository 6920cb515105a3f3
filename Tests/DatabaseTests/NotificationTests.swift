import PostgresDatabase
import SQL
import Testing
import TributaryTestKit

@Suite("Notifications of a database", .timeLimit(.minutes(10)))
struct NotificationTests {
    private struct Unwanted: Error {}

    /// Lends a PostgreSQL database whose lost connections are opened anew at once.
    private static func withPostgres(_ body: (PostgresDatabase) async throws -> Void) async throws {
        var limits = PostgresLimits()
        limits.reconnectPauseMilliseconds = 2
        try await DatabaseLocation.with(.postgres) { [limits] location in
            guard case .postgres(let url) = location else { return }
            let database = try PostgresDatabase(url: url, connections: 1, limits: limits)
            try await body(database)
            await database.close()
        }
    }

    private static func say(_ text: String, on channel: String = "news", in session: any Session) throws {
        try session.run("SELECT pg_notify(\(channel), \(text))")
    }

    private static func listeners(_ database: any Database) async throws -> Int {
        try await database.read { session in
            try session.rows(
                """
                SELECT pid FROM pg_stat_activity
                WHERE datname = current_database() AND query LIKE 'LISTEN %' AND pid <> pg_backend_pid()
                """
            ).count
        }
    }

    @Test("are heard by all who listen to their channel, of committed transactions alone")
    func committed() async throws {
        try await Self.withPostgres { database in
            var first = try #require(database.notifications(on: "news")).makeAsyncIterator()
            var second = try #require(database.notifications(on: "news")).makeAsyncIterator()
            #expect(await first.next() == .listening)
            #expect(await second.next() == .listening)
            try await database.write { try Self.say("one", in: $0) }
            await #expect(throws: Unwanted.self) {
                try await database.write { session in
                    try Self.say("rolled back", in: session)
                    throw Unwanted()
                }
            }
            try await database.write { session in
                try Self.say("rain", on: "weather", in: session)
                try Self.say("two", in: session)
            }
            #expect(await first.next() == .said("one"))
            #expect(await first.next() == .said("two"))
            #expect(await second.next() == .said("one"))
            #expect(await second.next() == .said("two"))
        }
    }

    @Test("are heard again after the server has ended the connection")
    func killed() async throws {
        try await Self.withPostgres { database in
            var heard = try #require(database.notifications(on: "news")).makeAsyncIterator()
            for number in 0..<3 {
                #expect(await heard.next() == .listening)
                try await database.write { try Self.say("\(number)", in: $0) }
                #expect(await heard.next() == .said("\(number)"))
                try await database.write { session in
                    try session.run(
                        """
                        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                        WHERE datname = current_database() AND query LIKE 'LISTEN %' AND pid <> pg_backend_pid()
                        """
                    )
                }
            }
            #expect(await heard.next() == .listening)
        }
    }

    @Test("end when the database is closed, and are none after that")
    func closed() async throws {
        try await Self.withPostgres { database in
            var heard = try #require(database.notifications(on: "news")).makeAsyncIterator()
            #expect(await heard.next() == .listening)
            await database.close()
            #expect(await heard.next() == nil)
            #expect(database.notifications(on: "news") == nil)
        }
    }

    @Test("of a server that is not there are waited for, and the database is closed all the same")
    func outage() async throws {
        let database = try PostgresDatabase(url: "postgres://127.0.0.1:1/none", connections: 1)
        var heard = try #require(database.notifications(on: "news")).makeAsyncIterator()
        await database.close()
        #expect(await heard.next() == nil)
    }

    @Test("keep no connection when nobody reads them any more")
    func left() async throws {
        try await Self.withPostgres { database in
            let stream = try #require(database.notifications(on: "news"))
            let reader = Task {
                for await _ in stream {}
            }
            try await eventually { try await Self.listeners(database) == 1 }
            reader.cancel()
            await reader.value
            try await eventually { try await Self.listeners(database) == 0 }
        }
    }

    @Test("are told while others stop to read them, and neither waits for the other")
    func leaving() async throws {
        try await Self.withPostgres { database in
            var kept = try #require(database.notifications(on: "news")).makeAsyncIterator()
            #expect(await kept.next() == .listening)
            let speaker = Task {
                for number in 1...500 { try await database.write { try Self.say("\(number)", in: $0) } }
            }
            for _ in 0..<3000 {
                let stream = try #require(database.notifications(on: "news"))
                let reader = Task {
                    for await _ in stream {}
                }
                await Task.yield()
                reader.cancel()
                await reader.value
            }
            try await speaker.value
            while await kept.next() != .said("500") {}
        }
    }

    @Test("are none where one process has the database to itself")
    func embedded() async throws {
        try await withDatabase(.sqlite) { database in #expect(database.notifications(on: "news") == nil) }
    }
}
