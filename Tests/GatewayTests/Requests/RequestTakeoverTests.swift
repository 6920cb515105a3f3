import Domain
import Gateway
import Storage
import Testing
import TributaryTestKit

/// What is asked of an order after its checkout, by an instance that dies on the way.
@Suite("Crashes: what was asked for after checkout", .timeLimit(.minutes(10)))
struct RequestTakeoverTests {
    /// A request, and how its order ends whether or not anybody dies.
    struct Scenario: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let capture: OrderTerms.Capture
        /// What is asked and done before anybody dies.
        var first: (@Sendable (Order) -> OrderRequest)?
        let request: @Sendable (Order) -> OrderRequest
        /// How many calls the request takes.
        var calls = 2
        let status: OrderStatus
        let captured: Int64
        let refunded: Int64
    }

    static let scenarios = [
        Scenario(
            testDescription: "a capture of the whole",
            capture: .manual,
            request: { _ in .capture(.whole) },
            status: .paid,
            captured: 45_000,
            refunded: 0
        ),
        Scenario(
            testDescription: "a cancel",
            capture: .manual,
            request: { _ in .cancel },
            status: .canceled,
            captured: 0,
            refunded: 0
        ),
        Scenario(
            testDescription: "a cancel of one payment beside one that is captured",
            capture: .manual,
            first: { .capture(.items([.init(payment: $0.payments[0].id)])) },
            request: { .cancelPayments([$0.payments[1].id]) },
            calls: 1,
            status: .partiallyPaid,
            captured: 30_000,
            refunded: 0
        ),
        Scenario(
            testDescription: "a refund of the whole",
            capture: .automatic,
            request: { _ in .refund(RefundRequest(.all)) },
            status: .refunded,
            captured: 45_000,
            refunded: 45_000
        ),
    ]

    /// Where an instance may die, in the order of a request's life.
    private static let ways: [@Sendable (Int) -> InstanceLife.Death] = [
        { .beforeWrite($0) }, { .afterWrite($0) }, { .beforeCall($0) }, { .afterCall($0) },
    ]

    @Test(
        "ends as if nobody had died, each thing done once at the PSP",
        arguments: DatabaseEngine.allCases,
        scenarios
    )
    func everywhere(engine: DatabaseEngine, scenario: Scenario) async throws {
        try await GatewayHarness.with(engine) { harness in
            var deaths = 0
            for way in Self.ways {
                for number in 1... {
                    guard try await Self.crash(scenario, at: way(number), harness) else { break }
                    deaths += 1
                }
            }
            // Its calls, and at the least one transaction for the request and one for what was heard.
            #expect(deaths >= 2 * scenario.calls + 4)
            let complaints = try await harness.complaints()
            #expect(complaints == [])
        }
    }

    /// Asks an instance that dies, and then another one under the same key; answers false if the first one did not
    /// live to see its death.
    private static func crash(
        _ scenario: Scenario,
        at death: InstanceLife.Death,
        _ harness: GatewayHarness
    ) async throws -> Bool {
        let key = "\(death)"
        var checkout = TestCheckout([
            .init("airline", 30_000, token: "tok_airline \(key)"), .init("hotel", 15_000, token: "tok_hotel \(key)"),
        ])
        checkout.capture = scenario.capture
        if scenario.first != nil { checkout.policy = .bestEffort }
        let placed = try await Self.placed(checkout, key, scenario, harness)
        let use = TestCheckout.use("asked \(key)")
        let mortal = harness.instance("mortal \(death)", endingAt: death)
        let driving = Task { await mortal.gateway.run() }
        let asking = Task {
            try await mortal.gateway.request(scenario.request(placed), of: .init(placed.id, of: "travel"), under: use)
        }
        defer {
            driving.cancel()
            asking.cancel()
        }
        try await Self.waitForEnd(of: mortal, scenario, placed.id, harness)
        if !(await mortal.hasDied()) {
            mortal.life.die()
            return false
        }
        await mortal.database.drain()
        harness.clock.advance(milliseconds: harness.settings.rules.leaseMilliseconds)
        let heir = harness.instance("heir \(death)")
        try await heir.driving {
            _ = try await heir.gateway.request(scenario.request(placed), of: .init(placed.id, of: "travel"), under: use)
            let order = try await harness.orderAtRest(placed.id)
            #expect(order.status == scenario.status, "died \(death)")
            #expect([order.captured, order.refunded] == [scenario.captured, scenario.refunded], "died \(death)")
            #expect(order.attention == [], "died \(death)")
        }
        heir.life.die()
        let booked = await harness.psp.authorizations.filter { $0.token.hasSuffix(" " + key) }
        #expect(booked.count == 2)
        #expect(booked.reduce(0) { $0 + $1.captured } == scenario.captured, "died \(death)")
        #expect(booked.reduce(0) { $0 + $1.refunded } == scenario.refunded, "died \(death)")
        return true
    }

    /// An order of which all that is asked first is done.
    private static func placed(
        _ checkout: TestCheckout,
        _ key: String,
        _ scenario: Scenario,
        _ harness: GatewayHarness
    ) async throws -> Order {
        let (_, placed) = try await harness.run(checkout, key: key, on: "placer \(key)")
        guard let first = scenario.first else { return placed }
        let instance = harness.instance("asker \(key)")
        try await instance.driving {
            _ = try await instance.gateway.request(first(placed), of: .init(placed.id, of: "travel"))
            _ = try await harness.orderAtRest(placed.id)
        }
        instance.life.die()
        return try await harness.order(placed.id)
    }

    /// Waits until the instance is dead or has done what was asked; not longer than a test's patience.
    private static func waitForEnd(
        of instance: GatewayInstance,
        _ scenario: Scenario,
        _ id: OrderID,
        _ harness: GatewayHarness
    ) async throws {
        let end = ContinuousClock.now + .patience
        while ContinuousClock.now < end, !instance.life.isDead {
            let seen = harness.signal.count
            let order = try await harness.order(id)
            if order.status == scenario.status, order.isAtRest { return }
            await harness.signal.wait(beyond: seen)
        }
    }
}
