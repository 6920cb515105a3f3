import Domain
import SQL
import Storage
import Testing
import TributaryTestKit

@testable import Gateway

@Suite("Heartbeats", .timeLimit(.minutes(10)))
struct HeartbeatTests {
    /// Places an order on an instance that dies before its first call, after one heartbeat.
    private static func orphan(_ harness: GatewayHarness) async throws -> OrderID {
        let mortal = harness.instance("mortal", endingAt: .beforeCall(1))
        await mortal.gateway.heartbeat.turn()
        let placing = Task { try await mortal.place(.trip, key: "k") }
        defer { placing.cancel() }
        try await harness.waitForEnd(of: mortal, key: "k")
        await mortal.database.drain()
        return try await harness.order(placedUnder: "k")
    }

    @Test(
        "a killed instance's work is taken within 15 s, long before its lease is over",
        arguments: DatabaseEngine.allCases
    )
    func takeover(engine: DatabaseEngine) async throws {
        try await GatewayHarness.with(engine) { harness in
            let heir = harness.instance("heir")
            await heir.gateway.heartbeat.turn()
            let id = try await Self.orphan(harness)
            for _ in 0..<3 {
                harness.clock.advance(milliseconds: 4500)
                await heir.gateway.heartbeat.turn()
            }
            let dead = try await harness.database.read { session in try InstanceTable.dead(in: session) }
            #expect(dead == ["mortal"])
            let order = try await heir.driving { try await harness.orderAtRest(id) }
            #expect(order.status == .paid)
            #expect(try await harness.complaints() == [])
        }
    }

    @Test("an instance that was stopped may not send until it has beaten again", arguments: DatabaseEngine.allCases)
    func frozen(engine: DatabaseEngine) async throws {
        try await GatewayHarness.with(engine) { harness in
            let heartbeat = harness.instance("one").gateway.heartbeat
            #expect(heartbeat.maySend)
            await heartbeat.turn()
            #expect(heartbeat.maySend)
            harness.clock.advance(milliseconds: 20_000)
            #expect(!heartbeat.maySend)
            await heartbeat.turn()
            #expect(heartbeat.maySend)
            heartbeat.end()
            #expect(!heartbeat.maySend)
        }
    }

    @Test("what was out of touch itself takes nobody for dead at once", arguments: DatabaseEngine.allCases)
    func outage(engine: DatabaseEngine) async throws {
        try await GatewayHarness.with(engine) { harness in
            let (one, two) = (harness.instance("one"), harness.instance("two"))
            await one.gateway.heartbeat.turn()
            await two.gateway.heartbeat.turn()
            harness.clock.advance(milliseconds: 30_000)
            await one.gateway.heartbeat.turn()
            let dead = try await harness.database.read { session in try InstanceTable.dead(in: session) }
            #expect(dead == [])
        }
    }

    /// The instances whose last heartbeat is no older than that.
    private static func living(within milliseconds: Int64, _ harness: GatewayHarness) async throws -> [String] {
        let limit = harness.clock.now().adding(milliseconds: -milliseconds)
        return try await harness.database.read { session in try InstanceTable.living(since: limit, in: session) }
    }

    @Test(
        "an instance that ends lives on for the others while a PSP has time to answer it",
        arguments: DatabaseEngine.allCases
    )
    func ending(engine: DatabaseEngine) async throws {
        try await GatewayHarness.with(engine) { harness in
            await harness.psp.script("tok_hotel", .authorize, .held)
            let (heir, one) = (harness.instance("heir"), harness.instance("one"))
            await heir.gateway.heartbeat.turn()
            await one.gateway.heartbeat.turn()
            let placing = Task { try await one.place(.trip, key: "k") }
            defer { placing.cancel() }
            try await harness.psp.arrival(of: .authorize, "tok_hotel")
            let leaving = Task { try await one.gateway.leave(withinMilliseconds: 600_000) }
            defer { leaving.cancel() }
            for _ in 0..<4 {
                harness.clock.advance(milliseconds: 6000)
                let end = ContinuousClock.now + .patience
                while try await !Self.living(within: Heartbeat.beatMilliseconds, harness).contains("one") {
                    try #require(ContinuousClock.now < end, "the instance that ends has stopped beating")
                    try await Task.sleep(for: .milliseconds(5))
                }
                await heir.gateway.heartbeat.turn()
            }
            let dead = try await harness.database.read { session in try InstanceTable.dead(in: session) }
            #expect(dead == [])
            harness.clock.advance(milliseconds: 600_000)
            #expect(try await leaving.value == 1)
            #expect(try await Self.living(within: 1_000_000, harness) == ["heir"])
        }
    }
}
