import Domain
import Gateway
import SQL
import Storage
import StrictJSON
import Testing
import TributaryTestKit

@Suite("Payouts in the feed of events", .timeLimit(.minutes(10)))
struct PayoutFeedTests {
    private static func draft(_ name: String, in database: any Database) async throws -> PayoutDraft {
        let found = try await database.read { try MerchantTable.find([name], of: "travel", in: $0).first }
        return try PayoutDraft(
            marketplace: "travel",
            merchant: try #require(found).id,
            amount: TestCheckout.dollars(1234),
            reference: "SEPA-\(name)",
            paidAt: nil,
            origin: .operator
        )
    }

    @Test("are all told, however many come about in one moment", arguments: DatabaseEngine.allCases)
    func together(_ engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .travel) { database in
            let clock = ManualClock()
            let desk = Gateway.Payouts(database: database, clock: clock, presentation: .plain, by: .instance("test"))
            var payouts: [PayoutID] = []
            for name in ["airline", "hotel", "taxi"] {
                payouts.append(try await desk.record(try await Self.draft(name, in: database)).payout.id)
            }
            clock.advance(milliseconds: 5)
            for payout in payouts { _ = try await desk.fail(payout, of: "travel", because: "account closed") }
            clock.advance(milliseconds: 10_000)
            let feed = EventFeed(database: database, clock: clock, presentation: .plain)
            for limit in 1...3 {
                var (events, after) = ([EventFeed.Event](), CallbackID?.none)
                repeat {
                    let found = try await feed.page(of: "travel", toldTo: nil, after: after, limit: limit)
                    let page = try #require(found)
                    events += page.events
                    after = page.next
                } while after != nil && events.count < 100
                let types = events.compactMap { $0.body["type"]?.stringValue }
                let (paid, failed) = (types.prefix(3), types.dropFirst(3))
                #expect(Array(paid) == Array(repeating: "payout.paid", count: 3), "\(types)")
                #expect(Array(failed) == Array(repeating: "payout.failed", count: 3), "\(types)")
                #expect(Set(events.map(\.id)).count == 6, "\(limit) a page")
            }
        }
    }

    @Test("came about when they were written down, however long that waited", arguments: DatabaseEngine.allCases)
    func waiting(_ engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .travel) { database in
            let clock = ManualClock()
            func desk() -> Gateway.Payouts {
                let slow = MeddledDatabase(database: database) { clock.advance(milliseconds: 5_000) }
                return Gateway.Payouts(database: slow, clock: clock, presentation: .plain, by: .instance("test"))
            }
            let payout = try await desk().record(try await Self.draft("airline", in: database)).payout
            #expect(payout.recordedAt == clock.now())
            let failed = try await desk().fail(payout.id, of: "travel", because: "account closed").payout
            #expect(failed.state == .failed(try Payout.Failure("account closed", at: clock.now())))
        }
    }
}
