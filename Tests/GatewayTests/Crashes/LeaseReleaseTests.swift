import Domain
import SQL
import Storage
import Testing
import TributaryTestKit

@testable import Gateway

@Suite("Crashes: the one owner of a database ends all leases", .timeLimit(.minutes(10)))
struct LeaseReleaseTests {
    /// Places an order on an instance that dies before its first call.
    private static func orphan(_ key: String, _ harness: GatewayHarness) async throws -> OrderID {
        let mortal = harness.instance("mortal \(key)", endingAt: .beforeCall(1))
        let placing = Task { try await mortal.place(.trip, key: key) }
        defer { placing.cancel() }
        try await harness.waitForEnd(of: mortal, key: key)
        await mortal.database.drain()
        return try await harness.order(placedUnder: key)
    }

    @Test("what was in hand is due at once, counts as perhaps sent, and ends as if nobody had died")
    func released() async throws {
        try await GatewayHarness.with(.sqlite) { harness in
            let id = try await Self.orphan("k", harness)
            let owner = harness.instance("owner")
            let count = try await owner.gateway.releaseLeases()
            #expect(count == 1)
            let after = try await harness.order(id)
            for payment in after.payments {
                let authorization = payment.attempt.authorization
                #expect(authorization.leasedBy == "mortal k" && authorization.sendings == 1)
            }
            #expect(try await owner.gateway.releaseLeases() == 0)
            let order = try await owner.driving { try await harness.orderAtRest(id) }
            #expect(order.status == .paid)
            #expect(try await harness.complaints() == [])
        }
    }

    @Test("an order that cannot be read keeps nobody from the others")
    func unreadable() async throws {
        try await GatewayHarness.with(.sqlite) { harness in
            let broken = try await Self.orphan("broken", harness)
            let sound = try await Self.orphan("sound", harness)
            try await harness.database.write { session in
                try session.run("UPDATE orders SET policy = 'none' WHERE id = \(broken)")
            }
            let owner = harness.instance("owner")
            #expect(try await owner.gateway.releaseLeases() == 2)
            let order = try await owner.driving { try await harness.orderAtRest(sound) }
            #expect(order.status == .paid)
        }
    }
}
