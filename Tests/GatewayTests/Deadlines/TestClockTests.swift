import Domain
import Gateway
import SQL
import Storage
import StrictJSON
import Testing
import TributaryTestKit

@Suite("A test clock", .timeLimit(.minutes(10)))
struct TestClockTests {
    private static func clocks(_ harness: GatewayHarness) -> TestClocks {
        TestClocks(database: harness.database, clock: harness.clock)
    }

    @Test("moved behind the life of a hold calls the order off, by its own time", arguments: DatabaseEngine.allCases)
    func lapse(engine: DatabaseEngine) async throws {
        try await GatewayHarness.with(engine) { harness in
            var checkout = TestCheckout.trip
            checkout.capture = .manual
            let instance = harness.instance("one")
            try await instance.driving {
                let id = try await instance.place(checkout, key: "k").order
                let held = try await harness.order(id)
                let lapse = try #require(held.captureBefore)
                let reading = try await Self.clocks(harness).advance("travel", .to(lapse), by: .instance("test"))
                #expect(reading.time == lapse && reading.realTime < lapse)
                let order = try await harness.order(id) { $0.status == .canceled && $0.isAtRest }
                #expect(order.decision.reason == .expired)
                #expect(order.updatedAt >= lapse && order.createdAt < lapse)
                #expect(order.clock == reading.clock)
            }
        }
    }

    @Test("moves no other marketplace's clock, and no order before it is moved", arguments: DatabaseEngine.allCases)
    func others(engine: DatabaseEngine) async throws {
        try await GatewayHarness.with(engine) { harness in
            try await TestMarketplace(id: "other", baseURL: "http://127.0.0.1:1").write(to: harness.database)
            _ = try await Self.clocks(harness).advance("other", .bySeconds(8_640_000), by: .instance("test"))
            let (_, order) = try await harness.run(TestCheckout.trip)
            #expect(order.clock == .unmoved)
            #expect(try await Self.clocks(harness).reading(of: "other").clock.aheadMicroseconds == 8_640_000_000_000)
            #expect(try await harness.complaints() == [])
        }
    }

    @Test("is where an order begins that is placed afterwards", arguments: DatabaseEngine.allCases)
    func placedLater(engine: DatabaseEngine) async throws {
        try await GatewayHarness.with(engine) { harness in
            let reading = try await Self.clocks(harness).advance("travel", .bySeconds(8_640_000), by: .instance("test"))
            let (_, order) = try await harness.run(TestCheckout.trip)
            #expect(order.status == .paid)
            #expect(order.clock == reading.clock && order.createdAt >= reading.time)
            #expect(try await harness.complaints() == [])
        }
    }

    @Test("is not moved backwards, and not in a live marketplace", arguments: DatabaseEngine.allCases)
    func refused(engine: DatabaseEngine) async throws {
        try await GatewayHarness.with(engine, clock: ManualClock()) { harness in
            let now = harness.clock.now()
            try await harness.database.write { session in
                try MarketplaceTable.save(.init(id: "real", name: "Real", mode: .live), at: now, in: session)
            }
            let clocks = Self.clocks(harness)
            let shown = try await clocks.advance("travel", .bySeconds(60), by: .instance("test")).time
            await #expect(throws: TestClockRefusal.backwards(shown)) {
                try await clocks.advance("travel", .to(shown.adding(milliseconds: -1)), by: .instance("test"))
            }
            await #expect(throws: TestClockRefusal.liveMarketplace) {
                try await clocks.advance("real", .bySeconds(1), by: .instance("test"))
            }
            await #expect(throws: DirectoryRefusal.unknownMarketplace("nowhere")) {
                try await clocks.advance("nowhere", .bySeconds(1), by: .instance("test"))
            }
            #expect(try await clocks.reading(of: "travel").time == shown)
            #expect(try await clocks.reading(of: "real").time == now)
        }
    }

    @Test("wakes the orders of whoever moved it and ended", arguments: DatabaseEngine.allCases)
    func finished(engine: DatabaseEngine) async throws {
        try await GatewayHarness.with(engine, clock: ManualClock()) { harness in
            var checkout = TestCheckout.trip
            checkout.capture = .manual
            let instance = harness.instance("one")
            let id = try await instance.place(checkout, key: "k").order
            let lapse = try #require(try await harness.order(id).captureBefore)
            let now = harness.clock.now()
            let clock = try MarketplaceClock.unmoved.advanced(to: lapse, at: now)
            try await harness.database.write { session in
                try TestClockTable.move(to: clock, of: "travel", at: now, in: session)
            }
            try await instance.gateway.poll()
            #expect(try await harness.order(id).status == .authorized)
            try await Self.clocks(harness).finish()
            #expect(try await harness.database.read { try TestClockTable.unfinished(in: $0) } == [])
            try await instance.gateway.poll()
            let order = try await harness.order(id) { $0.status == .canceled && $0.isAtRest }
            #expect(order.decision.reason == .expired)
        }
    }

    @Test("closes the hours that are over by then", arguments: DatabaseEngine.allCases)
    func periods(engine: DatabaseEngine) async throws {
        try await GatewayHarness.with(engine, clock: ManualClock()) { harness in
            let reading = try await Self.clocks(harness).advance(
                "travel",
                .bySeconds(40 * 86_400),
                by: .instance("test")
            )
            let rolled = try await harness.database.read { session in
                try LedgerRollup.rolledUntil("travel", in: session)
            }
            let end = try #require(rolled)
            #expect(end > harness.clock.now() && end <= reading.time)
        }
    }

    @Test(
        "stands in the audit trail at the real time with what it showed, once moved",
        arguments: DatabaseEngine.allCases
    )
    func audited(engine: DatabaseEngine) async throws {
        try await GatewayHarness.with(engine, clock: ManualClock()) { harness in
            let now = harness.clock.now()
            let clocks = Self.clocks(harness)
            let ada = AuditActor.shell("ada", on: "till-7")
            let shown = try await clocks.advance("travel", .bySeconds(8_640_000), by: ada).time
            // It shows that time already, and is refused an earlier one.
            _ = try await clocks.advance("travel", .to(shown), by: ada)
            await #expect(throws: TestClockRefusal.backwards(shown)) {
                try await clocks.advance("travel", .to(now), by: ada)
            }
            let entries = try await harness.database.read { session in
                try AuditTrailTable.list(.init(marketplace: "travel"), limit: 10, in: session)
            }
            let entry = try #require(entries.first)
            #expect(entries.count == 1 && entry.act == "test_clock.advance" && entry.actor == "ada")
            #expect(entry.at == now && entry.subjectKind == "marketplace" && entry.subject == "travel")
            let details = try JSON.parse(text: entry.details)
            #expect(details == ["from": .string(now.description), "to": .string(shown.description)])
        }
    }
}
