import Domain
import SQL
import Testing
import TributaryTestKit

@testable import Gateway

/// A PSP tells of a dispute while somebody asks for a refund of the same money.
@Suite("A refund against a dispute at once", .timeLimit(.minutes(10)))
struct DisputeRaceTests {
    @Test("is refused, or was there first and a person is told", arguments: DatabaseEngine.allCases)
    func race(engine: DatabaseEngine) async throws {
        try await GatewayHarness.with(engine) { harness in
            let instances = [harness.instance("one"), harness.instance("two")]
            for round in 0..<RequestRaceTests.count {
                let checkout = TestCheckout([.init("airline", 100)])
                let (answer, order) = try await harness.run(checkout, key: "k\(round)", on: "placer\(round)")
                let refund = OrderRequest.refund(
                    RefundRequest(.items([Refund.Item(payment: order.payments[0].id, amount: 60)]))
                )
                async let isMatched = Self.dispute(order, in: harness.database, harness.clock)
                let refusal = await Self.refusal {
                    _ = try await instances[round % 2].gateway.request(refund, of: .init(answer.order, of: "travel"))
                }
                #expect(try await isMatched)
                let after = try await harness.orderAtRest(answer.order)
                #expect(after.chargedBack == 60, "round \(round)")
                if let refusal {
                    #expect(refusal.code == .refundExceedsCaptured)
                    #expect(refusal.available == 40)
                    #expect((after.refunded, after.attention.count) == (0, 0), "round \(round)")
                } else {
                    #expect(after.refunded == 60, "round \(round)")
                    #expect(after.attention.map(\.reason) == [.overRefunded], "round \(round)")
                    #expect(after.attention.map(\.amountAtRisk) == [20], "round \(round)")
                }
            }
            let complaints = try await harness.complaints()
            #expect(complaints == [])
        }
    }

    private static func refusal(_ body: () async throws -> Void) async -> RequestRefusal? {
        do {
            try await body()
            return nil
        } catch let refusal as RequestRefusal {
            return refusal
        } catch {
            Issue.record(error)
            return nil
        }
    }

    /// What the PSP says is told to the order as any step is: in a transaction of its own, under the order's lock.
    private static func dispute(_ order: Order, in database: any Database, _ clock: ManualClock) async throws -> Bool {
        let notice = Notice(
            about: .init(attempt: order.payments[0].attempt.id.text, object: "dp_1"),
            .dispute(DisputeNotice(state: .opened, amount: 60, reason: nil))
        )
        let log = OrderLog(
            database: database,
            clock: clock,
            rules: OrderTimings(),
            instance: "psp",
            presentation: .plain
        )
        let batch = NoticeBatch([.init(notice, about: order.payments[0].attempt.id)])
        return try await database.write { session in
            try log.apply([.notices(batch)], to: order.id, in: session).isMatched
        }
    }
}
