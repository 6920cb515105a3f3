import Domain
import Gateway
import SQL
import Storage
import Testing
import TributaryTestKit

@Suite("Recording payouts", .timeLimit(.minutes(10)))
struct PayoutDeskTests {
    /// Lends a desk, and a draft of 12.34 USD to the airline.
    private static func with(
        _ engine: DatabaseEngine,
        _ body: (Gateway.Payouts, any Database, ManualClock, PayoutDraft) async throws -> Void
    ) async throws {
        try await withDatabase(engine, prepare: .travel) { database in
            let clock = ManualClock()
            let desk = Gateway.Payouts(database: database, clock: clock, presentation: .plain, by: .instance("test"))
            try await body(desk, database, clock, try await draft(in: database))
        }
    }

    private static func draft(
        _ merchant: String = "airline",
        _ cents: Int64 = 1234,
        _ reference: String = "SEPA-1",
        paidAt: Timestamp? = nil,
        in database: any Database
    ) async throws -> PayoutDraft {
        let found = try await database.read { try MerchantTable.find([merchant], of: "travel", in: $0).first }
        return try PayoutDraft(
            marketplace: "travel",
            merchant: try #require(found).id,
            amount: TestCheckout.dollars(cents),
            reference: reference,
            paidAt: paidAt,
            origin: .operator
        )
    }

    /// The journal of payouts: each entry's kind with its posting.
    private static func journal(_ database: any Database) async throws -> [String] {
        try await database.read { session in
            try session.rows(
                """
                SELECT kind, debit, credit, amount FROM journal_entry JOIN posting ON entry_id = id
                WHERE payout_id IS NOT NULL ORDER BY at, id
                """
            ).map { row in
                let parts = [try row.text("debit"), try row.text("credit")].map {
                    $0.hasSuffix("/payable") ? "payable" : $0
                }
                return "\(try row.text("kind")): \(parts[0]) to \(parts[1]) \(try row.integer("amount"))"
            }
        }
    }

    @Test("posts it, and changes nothing if it is told again", arguments: DatabaseEngine.allCases)
    func recording(_ engine: DatabaseEngine) async throws {
        try await Self.with(engine) { desk, database, clock, draft in
            let told = try await desk.record(draft)
            #expect(told.isNews)
            #expect((told.payout.state, told.payout.paidAt) == (.paid, clock.now()))
            clock.advance(milliseconds: 1000)
            let again = try await desk.record(draft)
            #expect(again == Gateway.Payouts.Told(payout: told.payout, isNews: false))
            #expect(try await Self.journal(database) == ["payout: payable to marketplace/bank 1234"])
            let listed = try await database.read {
                try PayoutTable.list(.init(marketplace: "travel"), limit: 9, in: $0)
            }
            #expect(listed == [told.payout])
            let others = try await database.read { try PayoutTable.list(.init(marketplace: "other"), limit: 9, in: $0) }
            #expect(others == [])
        }
    }

    @Test("refuses another payout under a reference that is taken", arguments: DatabaseEngine.allCases)
    func conflict(_ engine: DatabaseEngine) async throws {
        try await Self.with(engine) { desk, database, clock, draft in
            let payout = try await desk.record(draft).payout
            let dearer = try await Self.draft("airline", 1235, in: database)
            await #expect(throws: PayoutRefusal.referenceInUse(payout, differsIn: [.amount])) {
                try await desk.record(dearer)
            }
            let earlier = clock.now().adding(milliseconds: -1)
            let foreign = try await Self.draft("hotel", paidAt: earlier, in: database)
            await #expect(throws: PayoutRefusal.referenceInUse(payout, differsIn: [.merchant, .paidAt])) {
                try await desk.record(foreign)
            }
            let early = try await Self.draft(paidAt: clock.now().adding(milliseconds: 1), in: database)
            await #expect(throws: PayoutRefusal.notPaidYet) { try await desk.record(early) }
            #expect(try await Self.journal(database).count == 1)
        }
    }

    @Test("of one payout by many at once records it once", arguments: DatabaseEngine.allCases)
    func storm(_ engine: DatabaseEngine) async throws {
        try await Self.with(engine) { desk, database, _, draft in
            let told = try await withThrowingTaskGroup(of: Gateway.Payouts.Told.self) { group in
                for _ in 0..<8 { group.addTask { try await desk.record(draft) } }
                return try await group.reduce(into: [Gateway.Payouts.Told]()) { $0.append($1) }
            }
            #expect(told.count { $0.isNews } == 1)
            #expect(Set(told.map(\.payout)).count == 1)
            #expect(try await Self.journal(database).count == 1)
        }
    }

    @Test("that it failed posts it back once, and keeps the reason", arguments: DatabaseEngine.allCases)
    func failing(_ engine: DatabaseEngine) async throws {
        try await Self.with(engine) { desk, database, clock, draft in
            let payout = try await desk.record(draft).payout
            clock.advance(milliseconds: 5000)
            let failed = try await desk.fail(payout.id, of: "travel", because: "account closed")
            #expect(failed.isNews)
            let failure = try Payout.Failure("account closed", at: clock.now())
            #expect(failed.payout.state == .failed(failure))
            clock.advance(milliseconds: 5000)
            let again = try await desk.fail(payout.id, of: "travel", because: "account closed")
            #expect(again == Gateway.Payouts.Told(payout: failed.payout, isNews: false))
            await #expect(throws: PayoutRefusal.failedOtherwise(failed.payout)) {
                try await desk.fail(payout.id, of: "travel", because: "lost")
            }
            let told = try await desk.record(draft)
            #expect(told == Gateway.Payouts.Told(payout: failed.payout, isNews: false))
            await #expect(throws: PayoutRefusal.unusableReason) {
                try await desk.fail(payout.id, of: "travel", because: " ")
            }
            await #expect(throws: PayoutRefusal.unknown(payout.id)) {
                try await desk.fail(payout.id, of: "other", because: "account closed")
            }
            #expect(
                try await Self.journal(database) == [
                    "payout: payable to marketplace/bank 1234", "payout_reversal: marketplace/bank to payable 1234",
                ]
            )
        }
    }
}
