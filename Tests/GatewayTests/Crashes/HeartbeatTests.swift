import Domain
import SQL
import Storage
import Testing
import TributaryTestKit

@testable import Gateway

@Suite("Heartbeats", .timeLimit(.minutes(1)))
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
}
