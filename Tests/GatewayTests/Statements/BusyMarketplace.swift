import Domain
import SQL
import SeededRandom
import Storage
import Testing
import TributaryTestKit

@testable import Gateway

/// Orders that live through whatever a seed says, with days between, and merchants that are paid in between.
struct BusyMarketplace {
    private static let names = ["airline", "hotel", "taxi", "agency"]

    let harness: GatewayHarness
    private let instance: GatewayInstance
    private let desk: Gateway.Payouts
    private(set) var merchants: [Merchant] = []
    private var random: SeededRandom
    private var payoutCount = 0

    init(_ harness: GatewayHarness, seed: UInt64) async throws {
        self.harness = harness
        instance = harness.instance("desk")
        desk = Gateway.Payouts(
            database: harness.database,
            clock: harness.clock,
            presentation: .plain,
            by: .instance("test")
        )
        random = SeededRandom(seed: seed)
        merchants = try await harness.database.read { try MerchantTable.find(Self.names, of: "travel", in: $0) }
    }

    /// Lets so many orders live, one after the other, numbered from `first` on.
    mutating func live(orders: Int, from first: Int = 1) async throws {
        for number in first..<first + orders {
            try await self.order(number)
            harness.clock.advance(milliseconds: random.number(in: 1...(9 * 86_400_000)))
            if random.chance(60) { try await pay() }
        }
    }

    private mutating func order(_ number: Int) async throws {
        let chosen = Self.names.shuffled(using: &random).prefix(Int(random.number(in: 1...4)))
        let parts = chosen.map {
            TestCheckout.Part($0, 99 + random.number(in: 1...40_000), token: "tok_\($0)_\(number)")
        }
        for part in parts where random.chance(20) { await harness.psp.script(part.token, .authorize, .decline) }
        var checkout = TestCheckout(parts, policy: random.chance(70) ? .bestEffort : .allOrNothing)
        checkout.capture = random.chance(50) ? .automatic : .manual
        var order = try await harness.run(checkout, key: "k\(number)", on: "placer\(number)").order
        guard order.decision.state == .accepted else { return }
        if order.captured == 0 {
            order = try await ask(random.chance(50) ? .capture(.whole) : .capture(part(of: order)), of: order)
        }
        for _ in 0..<Int(random.number(in: 1...3)) {
            harness.clock.advance(milliseconds: random.number(in: 1...86_400_000))
            order = random.chance(60) ? try await refund(order) : try await dispute(order)
        }
    }

    /// A part of each payment; of an all-or-nothing order, all of it.
    private mutating func part(of order: Order) -> CaptureRequest {
        guard order.terms.policy == .bestEffort else { return .whole }
        let held = order.payments.filter { $0.held > 0 }
        return .items(held.map { .init(payment: $0.id, amount: random.number(in: 1...$0.held)) })
    }

    private mutating func refund(_ order: Order) async throws -> Order {
        let payments = order.payments.filter { $0.refundable > 0 }
        guard let payment = payments.randomElement(using: &random) else { return order }
        let item = Refund.Item(payment: payment.id, amount: random.number(in: 1...payment.refundable))
        let bearer: Refund.Bearer = random.chance(40) ? .marketplace : .merchant
        return try await ask(.refund(RefundRequest(.items([item]), borneBy: bearer)), of: order)
    }

    private func ask(_ request: OrderRequest, of order: Order) async throws -> Order {
        _ = try await instance.gateway.request(request, of: .init(order.id, of: "travel"))
        return try await harness.orderAtRest(order.id)
    }

    /// A dispute that is opened, and may be won or lost.
    private mutating func dispute(_ order: Order) async throws -> Order {
        let payments = order.payments.filter { $0.refundable > 0 }
        guard let payment = payments.randomElement(using: &random) else { return order }
        let amount = random.number(in: 1...payment.refundable)
        let object = "dp_\(random.next())"
        var states = [DisputeNotice.State.opened]
        if random.chance(60) { states.append(random.chance(50) ? .won : .lost) }
        for state in states {
            let news = DisputeNotice(state: state, amount: amount, reason: nil)
            try await harness.hear(.dispute(news), object, payment, of: order.id)
            harness.clock.advance(milliseconds: random.number(in: 1...86_400_000))
        }
        return try await harness.order(order.id)
    }

    private mutating func pay() async throws {
        guard let merchant = merchants.randomElement(using: &random) else { return }
        payoutCount += 1
        let payout = try await desk.record(
            PayoutDraft(
                marketplace: "travel",
                merchant: merchant.id,
                amount: TestCheckout.dollars(random.number(in: 1...30_000)),
                reference: "SEPA-\(payoutCount)",
                paidAt: nil,
                origin: .operator
            )
        ).payout
        guard random.chance(30) else { return }
        harness.clock.advance(milliseconds: random.number(in: 1...(3 * 86_400_000)))
        _ = try await desk.fail(payout.id, of: "travel", because: "account closed")
    }
}

extension GatewayHarness {
    /// What the PSP says is told to the order as any step is: in a transaction of its own, under the order's lock.
    func hear(_ news: Notice.Happening, _ object: String, _ payment: Payment, of order: OrderID) async throws {
        let notice = Notice(about: .init(attempt: payment.attempt.id.text, object: object), news)
        let log = OrderLog(
            database: database,
            clock: clock,
            rules: OrderTimings(),
            instance: "psp",
            presentation: .plain
        )
        let batch = NoticeBatch([.init(notice, about: payment.attempt.id)])
        let isMatched = try await database.write { session in
            try log.apply([.notices(batch)], to: order, in: session).isMatched
        }
        #expect(isMatched)
    }
}
