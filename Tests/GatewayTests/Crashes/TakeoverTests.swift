import Domain
import Gateway
import Testing
import TributaryTestKit

@Suite("Crashes: another instance takes over", .timeLimit(.minutes(10)))
struct TakeoverTests {
    /// Where an instance may die, in the order of an order's life.
    private static let ways: [@Sendable (Int) -> InstanceLife.Death] = [
        { .beforeWrite($0) }, { .afterWrite($0) }, { .beforeCall($0) }, { .afterCall($0) },
    ]

    @Test(
        "whenever an instance dies, the order ends as if it had not",
        arguments: DatabaseEngine.allCases,
        CrashScenario.all
    )
    func everywhere(engine: DatabaseEngine, scenario: CrashScenario) async throws {
        try await GatewayHarness.with(engine) { harness in
            var deaths = 0
            for way in Self.ways {
                for number in 1... {
                    guard try await Self.crash(scenario, at: way(number), harness) else { break }
                    deaths += 1
                }
            }
            // Two steps for each transaction and each call: nine calls at the least, and as many writes as it takes.
            #expect(deaths >= 14)
            let complaints = try await harness.complaints()
            #expect(complaints == [])
        }
    }

    /// Whether a payment ended as it should; one that had to be released or given back may never have been sent at all.
    private static func isSame(_ state: PaymentState, _ wanted: PaymentState, in scenario: CrashScenario) -> Bool {
        state == wanted || (state == .notSent && (wanted == .voided || scenario.status == .failed))
    }

    /// Runs the scenario on an instance that dies and has another one finish; answers false if the first one did not
    /// live to see its death.
    private static func crash(
        _ scenario: CrashScenario,
        at death: InstanceLife.Death,
        _ harness: GatewayHarness
    ) async throws -> Bool {
        let (key, mortal) = ("\(death)", harness.instance("mortal \(death)", endingAt: death))
        let checkout = scenario.checkout.telling(apart: key)
        for (token, kind, behaviour) in scenario.behaviours {
            await harness.psp.script("\(token) \(key)", kind, behaviour)
        }
        let placing = Task { try await mortal.place(checkout, key: key) }
        let driving = Task { await mortal.gateway.run() }
        defer {
            driving.cancel()
            placing.cancel()
        }
        try await harness.waitForEnd(of: mortal, key: key)
        if !(await mortal.hasDied()) {
            mortal.life.die()
            return false
        }
        await mortal.database.drain()
        harness.clock.advance(milliseconds: harness.settings.rules.leaseMilliseconds)
        let heir = harness.instance("heir \(death)")
        try await heir.driving {
            // The checkout has heard nothing and asks again.
            let answer = try await heir.place(checkout, key: key)
            let order = try await harness.orderAtRest(answer.order)
            #expect(order.status == scenario.status, "died \(death)")
            let states = order.payments.map(\.state)
            #expect(
                zip(states, scenario.states).allSatisfy { Self.isSame($0, $1, in: scenario) },
                "died \(death): \(states)"
            )
            #expect(order.attention == [], "died \(death)")
        }
        heir.life.die()
        return true
    }
}

extension TestCheckout {
    /// The same checkout with tokens of its own.
    fileprivate func telling(apart key: String) -> TestCheckout {
        var checkout = self
        for index in parts.indices { checkout.parts[index].token += " " + key }
        return checkout
    }
}
