import Domain
import Gateway
import SQL
import Storage
import Testing
import TributaryTestKit

@Suite("An entry of the audit trail for a request", .timeLimit(.minutes(10)))
struct AuditedRequestTests {
    @Test("is written once for what a PSP did, though an operator says it twice", arguments: DatabaseEngine.allCases)
    func record(engine: DatabaseEngine) async throws {
        try await GatewayHarness.with(engine) { harness in
            var checkout = TestCheckout.trip
            checkout.capture = .manual
            let manual = checkout
            let instance = harness.instance("one")
            try await instance.driving {
                let id = try await instance.place(manual, key: "k").order
                let payment = try #require(try await harness.order(id) { $0.status == .authorized }.payments.first)
                let request = OrderRequest.record(
                    OperatorRecord(.capture(amount: payment.amount, isFinal: true), of: payment.id, reference: "cap_1"),
                    .init(evidence: "portal, payment 7", reason: "it is taken there", by: "ada")
                )
                let subject = Gateway.Orders.Subject(id, of: "travel", by: .shell("ada", on: "till-7"))
                for _ in 0..<2 {
                    let result = try await instance.gateway.request(request, of: subject)
                    #expect(result?.order.payments.first?.captured == payment.amount)
                }
                let entries = try await harness.database.read { session in
                    try AuditTrailTable.list(.init(marketplace: "travel"), limit: 10, in: session)
                }
                #expect(entries.map(\.act) == ["order.record"], "\(entries)")
                #expect(entries.first?.subject == id.text)
            }
        }
    }
}
