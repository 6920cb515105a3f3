import Domain
import Gateway
import Testing
import TributaryTestKit

@Suite("Holds", .timeLimit(.minutes(1)))
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
}
