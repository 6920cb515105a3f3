import Domain
import Gateway
import Storage
import Testing
import TributaryTestKit

@Suite("A success that surfaces late", .timeLimit(.minutes(10)))
struct LateSuccessTests {
    @Test("is undone although another order has the reference by now", arguments: DatabaseEngine.allCases)
    func reference(engine: DatabaseEngine) async throws {
        try await GatewayHarness.with(engine) { harness in
            var checkout = TestCheckout([.init("airline", 100)])
            checkout.reference = "cart"
            await harness.psp.script("tok_airline", .authorize, .refuse)
            let (_, first) = try await harness.run(checkout, key: "first")
            #expect(first.status == .failed)
            let (_, second) = try await harness.run(checkout, key: "second", on: "two")
            #expect(second.status == .paid)
            let word = OrderRequest.resolve(
                first.payments[0].attempt.authorization.id,
                .succeeded(),
                OrderRequest.Evidence(evidence: "dashboard", reason: "seen", by: "operator")
            )
            let asked = try await harness.instance("three").gateway.request(word, of: .init(first.id, of: "travel"))
            #expect(asked?.order.decision.state == .refused)
            #expect(asked?.order.payments[0].attempt.all(.void).isEmpty == false)
            #expect(try await harness.order(second.id).status == .paid)
        }
    }
}
