import Domain
import Gateway
import Simulation
import Testing
import TributaryTestKit

@Suite("An order at merchants' accounts at the PSPs", .timeLimit(.minutes(10)), .serialized)
struct PayeeTests {
    /// The merchants' accounts, and who is paid there.
    static let ways = [PSPTwin.payingMerchants, PSPTwin.payingMarketplace]

    @Test(
        "is paid and given back in part, whoever is paid there",
        arguments: DatabaseEngine.allCases,
        ways.indices
    )
    func paid(engine: DatabaseEngine, way: Int) async throws {
        try await DatabaseLocation.with(engine, prepare: .migrated) { location in
            try await TwinStage.with(Self.ways[way], location, ManualClock(.flows)) { stage in
                let (orders, complaints) = try await stage.settle([[:]], policies: [.allOrNothing]) { orders in
                    for order in orders {
                        #expect(order.status == .paid, "\(HarnessFailure.text(order))")
                        let part = RefundRequest(.proportional(TwinStage.part))
                        _ = try await stage.gateway.request(.refund(part), of: .init(order.id, of: order.marketplace))
                    }
                }
                let order = try #require(orders.first)
                #expect(order.status == .partiallyRefunded, "\(HarnessFailure.text(order))")
                #expect(order.refunded == TwinStage.part)
                #expect(order.attention.isEmpty)
                #expect(complaints == [])
                let accounts = order.payments.map(\.attempt.route.merchantAccount)
                #expect(accounts == stage.twins.map(\.merchantAccount))
            }
        }
    }
}
