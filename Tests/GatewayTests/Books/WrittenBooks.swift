import Domain
import Gateway
import SQL
import Storage
import Testing
import TributaryTestKit

/// Books that a gateway has written: months that are rolled up, and orders behind them.
struct WrittenBooks: Sendable {
    /// An airline's and a hotel's parts, captured.
    let paid: Order
    /// An airline's part, held and not captured yet.
    let held: Order
    /// An order that one part's decline refused, so that the other was voided.
    let refused: Order
    /// A payout to the airline.
    let payout: Payout
    /// What is stored of the steps of all orders.
    let steps: [StoredStep]

    init(_ harness: GatewayHarness) async throws {
        var marketplace = try await BusyMarketplace(harness, seed: 1)
        try await marketplace.live(orders: 5)
        _ = try await PeriodCloser(database: harness.database).close("travel", at: harness.clock.now())
        harness.clock.advance(milliseconds: 7_200_000)
        let parts = [
            TestCheckout.Part("airline", 30_000, token: "p1"), TestCheckout.Part("hotel", 15_000, token: "p2"),
        ]
        paid = try await harness.run(TestCheckout(parts), key: "paid", on: "paid").order
        let one = TestCheckout([TestCheckout.Part("airline", 20_000, token: "h1")], capture: .manual)
        held = try await harness.run(one, key: "held", on: "held").order
        await harness.psp.script("r2", .authorize, .decline)
        let two = [TestCheckout.Part("airline", 10_000, token: "r1"), TestCheckout.Part("hotel", 5_000, token: "r2")]
        refused = try await harness.run(TestCheckout(two), key: "refused", on: "refused").order
        let airline = try #require(marketplace.merchants.first { $0.externalIdentifier == "airline" })
        let draft = try PayoutDraft(
            marketplace: "travel",
            merchant: airline.id,
            amount: TestCheckout.dollars(1_000),
            reference: "written",
            paidAt: nil,
            origin: .operator
        )
        let desk = Gateway.Payouts(
            database: harness.database,
            clock: harness.clock,
            presentation: .plain,
            by: .instance("test")
        )
        payout = try await desk.record(draft).payout
        steps = try await harness.database.read { try StoredStep.all(in: $0) }
        #expect((paid.status, held.status, refused.status) == (.paid, .authorized, .failed))
    }

    /// The authorization of the held order.
    var holding: Operation { held.payments[0].attempt.authorization }
    /// The authorization of the paid order's first payment.
    var authorization: Operation { paid.payments[0].attempt.authorization }
    /// The account of what the airline is owed.
    var payable: String { Account.payable(merchant: paid.payments[0].merchant).path }

    /// The entry that an operation's first effect is posted as.
    func entry(of operation: Operation) -> SQL {
        "(SELECT MIN(id) FROM journal_entry WHERE operation_id = \(operation.id))"
    }

    /// The statements that put other text into the documents of an order's steps, or of one of them.
    func replacing(_ text: String, by other: String, in order: Order, version: Int64? = nil) -> [SQL] {
        steps.filter { $0.order == order.id && version ?? $0.version == $0.version }
            .compactMap { $0.replacing(text, by: other) }
    }

    /// An identifier that nothing has.
    func newID(_ prefix: String) -> String { "\(prefix)_\(held.id.text.dropFirst(4))" }
}
