import Domain
import Gateway
import Storage
import Testing
import TributaryTestKit

/// "The PSP has no trace of it" is believed only one call and the declared delay after the last sending.
@Suite("Doubt: a PSP without keys whose inquiries are late", .timeLimit(.minutes(10)))
struct AbsenceTests {
    private static let minute: Int64 = 60_000
    private static let settings: GatewaySettings = {
        var settings = GatewayHarness.settings
        settings.rules.unknownScheduleMilliseconds = [2, 4, 3_600_000]
        return settings
    }()

    /// Lends a paid order at the late PSP, of which the airline is asked to give back 3,000, and the request is lost.
    private static func withLostRefund(
        _ engine: DatabaseEngine,
        _ body: (GatewayHarness, OrderID) async throws -> Void
    ) async throws {
        try await GatewayHarness.with(
            engine,
            settings: settings,
            adapter: LateAdapter.self,
            keys: .none,
            visibilityMilliseconds: LateAdapter.visibilityMilliseconds
        ) { harness in
            let (_, order) = try await harness.run(.trip)
            await harness.psp.script("tok_airline", .refund, .requestLost)
            let asker = harness.instance("asker")
            let item = Refund.Item(payment: order.payments[0].id, amount: 3000)
            try await asker.driving {
                _ = try await asker.gateway.request(
                    .refund(RefundRequest(.items([item]))),
                    of: .init(order.id, of: "travel"),
                    under: TestCheckout.use("refund")
                )
                _ = try await harness.order(order.id) { $0.payments[0].attempt.all(.refund).last?.doubts == 3 }
            }
            asker.life.die()
            await asker.database.drain()
            try await body(harness, order.id)
        }
    }

    private static func refunds(at harness: GatewayHarness) async -> (calls: Int, amount: Int64) {
        let given = await harness.psp.authorizations.reduce(0) { $0 + $1.refunded }
        return (await harness.psp.count(.refund, "tok_airline"), given)
    }

    /// Waits until nobody has the refund in hand and it is not due; a jump of the clock would end leases otherwise.
    private static func rest(_ harness: GatewayHarness, _ id: OrderID, _ life: InstanceLife) async throws {
        let end = ContinuousClock.now + .patience
        while ContinuousClock.now < end, !life.isDead {
            let refund = try await harness.order(id).payments[0].attempt.all(.refund).last
            let isDue = refund?.dueAt.map { $0 <= harness.clock.now() } ?? false
            if refund?.leasedBy == nil, !isDue { return }
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    /// Lets half a day pass in steps of `minutes`, on an instance of its own.
    private static func pass(_ minutes: Int64, _ harness: GatewayHarness, _ id: OrderID) async throws -> Order {
        let heir = harness.instance("heir")
        return try await heir.driving {
            for _ in 0..<Int(720 / minutes) where try await !harness.order(id).isAtRest {
                harness.clock.advance(milliseconds: minutes * minute)
                try await rest(harness, id, heir.life)
            }
            return try await harness.orderAtRest(id)
        }
    }

    @Test(
        "is sent no third refund when the instance dies behind the second, whenever that is taken over",
        arguments: DatabaseEngine.allCases,
        [Int64(2), 10, 20]
    )
    func crash(engine: DatabaseEngine, step: Int64) async throws {
        try await Self.withLostRefund(engine) { harness, id in
            // An hour later it is provably absent and is sent again; the PSP acts, and nobody hears of it.
            let mortal = harness.instance("mortal", endingAt: .afterCall(2))
            try await mortal.driving {
                for _ in 0..<20 where !mortal.life.isDead {
                    harness.clock.advance(milliseconds: 15 * Self.minute)
                    try await Self.rest(harness, id, mortal.life)
                }
            }
            #expect(mortal.life.isDead)
            await mortal.database.drain()
            #expect(await Self.refunds(at: harness) == (2, 3000))
            let order = try await Self.pass(step, harness, id)
            #expect(await Self.refunds(at: harness) == (2, 3000))
            #expect(order.refunded == 3000 && order.status == .partiallyRefunded)
            let complaints = try await harness.complaints()
            #expect(complaints == [])
        }
    }

    @Test(
        "is believed to work on the second refund, though it does not see it at the first poll",
        arguments: DatabaseEngine.allCases
    )
    func pending(engine: DatabaseEngine) async throws {
        try await Self.withLostRefund(engine) { harness, id in
            await harness.psp.script("tok_airline", .refund, ScriptedBehaviour(.pending(inquiries: 1)))
            let order = try await Self.pass(5, harness, id)
            #expect(await Self.refunds(at: harness) == (2, 3000))
            #expect(order.refunded == 3000)
            #expect(order.attention == [])
            let complaints = try await harness.complaints()
            #expect(complaints == [])
        }
    }

    @Test(
        "is sent nothing before what was sent would be visible, and something after",
        arguments: DatabaseEngine.allCases
    )
    func resent(engine: DatabaseEngine) async throws {
        try await Self.withLostRefund(engine) { harness, id in
            let sentAt = try #require(try await harness.order(id).payments[0].attempt.all(.refund).last?.sentAt)
            let order = try await Self.pass(3, harness, id)
            #expect(await Self.refunds(at: harness) == (2, 3000))
            let second = try #require(order.payments[0].attempt.all(.refund).last)
            #expect(second.sendings == 2)
            let pause = try #require(second.sentAt).milliseconds(since: sentAt)
            #expect(pause >= Self.settings.rules.leaseMilliseconds + LateAdapter.visibilityMilliseconds)
        }
    }
}
