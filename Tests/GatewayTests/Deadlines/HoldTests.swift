import Domain
import Gateway
import SQL
import Storage
import Testing
import TributaryTestKit

@Suite("Holds", .timeLimit(.minutes(10)))
struct HoldTests {
    @Test("an all-or-nothing order is called off as its first hold lapses", arguments: DatabaseEngine.allCases)
    func lapse(engine: DatabaseEngine) async throws {
        try await GatewayHarness.with(engine) { harness in
            var checkout = TestCheckout.trip
            checkout.capture = .manual
            let instance = harness.instance("one")
            try await instance.driving {
                let id = try await instance.place(checkout, key: "k").order
                let held = try await harness.order(id)
                #expect(held.status == .authorized)
                let lapse = try #require(held.captureBefore)
                await harness.psp.expire("tok_hotel")
                harness.clock.advance(to: lapse)
                let order = try await harness.order(id) { $0.status == .canceled && $0.isAtRest }
                #expect(order.status == .canceled)
                #expect(order.decision.reason == .expired)
                #expect(order.payments.contains { $0.state == .expired })
                #expect(order.payments.allSatisfy { $0.state == .expired || $0.state == .voided })
                let complaints = try await harness.complaints()
                #expect(complaints == [])
            }
        }
    }

    @Test("that lapsed while nobody looked are seen by whoever looks next", arguments: DatabaseEngine.allCases)
    func lapsedLongAgo(engine: DatabaseEngine) async throws {
        try await GatewayHarness.with(engine, clock: ManualClock()) { harness in
            var checkout = TestCheckout.trip
            checkout.capture = .manual
            let instance = harness.instance("one")
            let id = try await instance.place(checkout, key: "k").order
            let lapse = try #require(try await harness.order(id).captureBefore)
            harness.clock.advance(to: lapse.adding(milliseconds: -86_400_000))
            try await instance.gateway.poll()
            #expect(try await harness.order(id).isExpiryTold)
            await harness.psp.expire("tok_hotel")
            harness.clock.advance(to: lapse.adding(milliseconds: 60_000))
            try await instance.gateway.poll()
            let order = try await harness.order(id) { $0.status == .canceled && $0.isAtRest }
            #expect(order.decision.reason == .expired)
            #expect(try await harness.complaints() == [])
        }
    }

    @Test("that will lapse are told of a day ahead, once", arguments: DatabaseEngine.allCases)
    func warning(engine: DatabaseEngine) async throws {
        try await GatewayHarness.with(engine) { harness in
            var checkout = TestCheckout.trip
            checkout.capture = .manual
            let instance = harness.instance("one")
            try await instance.driving {
                let id = try await instance.place(checkout, key: "k").order
                let lapse = try #require(try await harness.order(id).captureBefore)
                harness.clock.advance(to: lapse.adding(milliseconds: -86_400_000))
                let told = try await harness.order(id, once: \.isExpiryTold)
                #expect(told.status == .authorized)
                harness.clock.advance(milliseconds: 3_600_000)
                _ = try await instance.gateway.request(.capture(.whole), of: .init(id, of: "travel"))
                #expect(try await harness.orderAtRest(id).status == .paid)
                let events = try await harness.database.read { session in
                    try OrderSteps.events(of: id, after: 0, limit: 100, in: session)
                }
                let warnings = events.filter { $0.type == "order.authorization_expiring" }
                #expect(warnings.count == 1)
                #expect(warnings.first?.details.contains(.init("amount", .integer(checkout.total))) == true)
                #expect(
                    warnings.first?.details.contains(.init("capture_before", .text(lapse.description))) == true
                )
            }
        }
    }
}
