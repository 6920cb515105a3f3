import Domain
import SQL
import Storage
import Testing
import TributaryTestKit

@testable import Gateway

@Suite("That a PSP refuses our credentials", .timeLimit(.minutes(10)))
struct CredentialWatchTests {
    private static let begin = Timestamp(microseconds: 1_800_000_000_000_000)
    private static let account = CredentialWatch.Account(marketplace: "travel", id: "sim-a")

    private static func refusal(
        _ objection: CredentialObjection,
        _ call: String = "authorize",
        after seconds: Int64 = 0
    ) -> CredentialRefusal {
        let now = begin.adding(milliseconds: seconds * 1000)
        return CredentialRefusal(
            marketplace: account.marketplace,
            account: account.id,
            objection: objection,
            call: call,
            status: objection == .forbidden ? 403 : 401,
            code: "no",
            since: now,
            refusedAt: now
        )
    }

    private static func stored(in database: any Database) async throws -> [CredentialRefusal] {
        try await database.read { session in try CredentialRefusalTable.all(of: "travel", in: session) }
    }

    private func moment(_ seconds: Int64) -> Timestamp { Self.begin.adding(milliseconds: seconds * 1000) }

    @Test("is written down once, and gone when the PSP takes a call", arguments: DatabaseEngine.allCases)
    func ends(_ engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .travel) { database in
            let watch = CredentialWatch()
            watch.hear(Self.refusal(.unauthenticated))
            watch.hear(Self.refusal(.unauthenticated, "capture", after: 1))
            try await watch.record(in: database)
            #expect(try await Self.stored(in: database) == [Self.refusal(.unauthenticated, "capture", after: 1)])
            try await watch.record(in: database)
            watch.hear(taken: "inquire", at: Self.account, moment(2))
            try await watch.record(in: database)
            #expect(try await Self.stored(in: database).isEmpty)
        }
    }

    @Test("to make one call ends with that call, and with no other", arguments: DatabaseEngine.allCases)
    func forbidden(_ engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .travel) { database in
            let watch = CredentialWatch()
            watch.hear(Self.refusal(.forbidden, "refund"))
            watch.hear(taken: "authorize", at: Self.account, moment(1))
            try await watch.record(in: database)
            #expect(try await Self.stored(in: database).map(\.call) == ["refund"])
            watch.hear(taken: "refund", at: Self.account, moment(2))
            try await watch.record(in: database)
            #expect(try await Self.stored(in: database).isEmpty)
        }
    }

    @Test("goes on since it began, and is written again once a minute at most", arguments: DatabaseEngine.allCases)
    func goesOn(_ engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .travel) { database in
            let watch = CredentialWatch()
            for (seconds, shown) in [(0, 0), (10, 0), (59, 0), (60, 60), (90, 60)] as [(Int64, Int64)] {
                watch.hear(Self.refusal(.unauthenticated, after: seconds))
                try await watch.record(in: database)
                let rows = try await Self.stored(in: database)
                #expect(rows.map(\.since) == [Self.begin])
                #expect(rows.map(\.refusedAt) == [moment(shown)], "\(seconds)")
            }
        }
    }

    @Test("ends with a call of another instance's, and is not written again", arguments: DatabaseEngine.allCases)
    func instances(_ engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .travel) { database in
            let (one, other) = (CredentialWatch(), CredentialWatch())
            one.hear(Self.refusal(.unauthenticated, after: 5))
            try await one.record(in: database)
            // Before it, and at another account: neither ends it.
            other.hear(taken: "authorize", at: Self.account, moment(4))
            other.hear(taken: "authorize", at: CredentialWatch.Account(marketplace: "travel", id: "sim-b"), moment(9))
            try await other.record(in: database)
            #expect(try await Self.stored(in: database).count == 1)
            other.hear(taken: "authorize", at: Self.account, moment(10))
            try await other.record(in: database)
            #expect(try await Self.stored(in: database).isEmpty)
            one.hear(taken: "authorize", at: CredentialWatch.Account(marketplace: "travel", id: "sim-b"), moment(11))
            try await one.record(in: database)
            #expect(try await Self.stored(in: database).isEmpty)
            one.hear(Self.refusal(.unauthenticated, after: 12))
            try await one.record(in: database)
            #expect(try await Self.stored(in: database).map(\.since) == [moment(12)])
        }
    }

    @Test("is written down when the database is back, if it was away")
    func away() async throws {
        let watch = CredentialWatch()
        watch.hear(Self.refusal(.unauthenticated))
        try await withDatabase(.sqlite, prepare: .travel) { database in
            let away = DyingDatabase(database: database, writes: 0)
            await #expect(throws: DyingDatabase.Death.self) { try await watch.record(in: away) }
            try await watch.record(in: database)
            #expect(try await Self.stored(in: database).count == 1)
        }
    }
}
