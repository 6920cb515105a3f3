import Domain
import Gateway
import HTTPAPI
import SQL
import Storage
import StrictJSON
import Testing
import TributaryTestKit

/// A trip that was captured, a part of it given back, and a payout to the airline.
struct StatementStage {
    static let path = "/v1/merchants"
    /// The merchant that is paid.
    static let name = "airline"

    let api: APIHarness
    let trip: OrderStage
    /// Where payouts are told.
    let desk: Gateway.Payouts
    /// The payout of 50.00 USD.
    let payout: Payout

    init(_ api: APIHarness) async throws {
        self.api = api
        trip = try await OrderStage(api, OrderBody.trip.with("contexts/0/reference", "seat, \"12A\""))
        let refunded = try await trip.ask("refunds", trip.items(10_000, 500))
        #expect(refunded.json["status"] == "succeeded", "\(refunded)")
        let found = try await api.database.read { try MerchantTable.find(["airline"], of: "travel", in: $0).first }
        let airline = try #require(found)
        desk = Gateway.Payouts(
            database: api.database,
            clock: api.clock,
            presentation: OrderPresenter.presentation,
            by: .instance("test")
        )
        // A payout pays for what was posted in the milliseconds before.
        api.clock.advance(milliseconds: 2)
        payout = try await desk.record(
            PayoutDraft(
                marketplace: "travel",
                merchant: airline.id,
                amount: TestCheckout.dollars(5_000),
                reference: "SEPA-1",
                paidAt: nil,
                origin: .operator
            )
        ).payout
    }

    /// The airline's statement in US dollars.
    func airline(_ more: String = "", by client: APIClient? = nil) async throws -> APIReply {
        try await (client ?? trip.client).get("\(Self.path)/airline/statement?currency=USD\(more)")
    }
}
