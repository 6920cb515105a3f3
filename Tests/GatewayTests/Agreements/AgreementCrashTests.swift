import Domain
import Gateway
import Testing
import TributaryTestKit

@Suite("Agreements: another instance takes over", .timeLimit(.minutes(10)))
struct AgreementCrashTests {
    /// Where an instance may die.
    private static let ways: [@Sendable (Int) -> InstanceLife.Death] = [
        { .beforeWrite($0) }, { .afterWrite($0) }, { .beforeCall($0) }, { .afterCall($0) },
    ]

    @Test(
        "whenever an instance dies during the first payment, the agreement is active with one method",
        arguments: DatabaseEngine.allCases
    )
    func firstPayment(engine: DatabaseEngine) async throws {
        try await GatewayHarness.with(engine) { harness in
            let desk = AgreementDesk(harness: harness)
            let deaths = try await Self.die { death in
                let id = try await desk.make()
                let draft = try AgreementDesk.first(of: id, paidWith: "tok_\(death)")
                return try await Self.crash(at: death, harness) { instance in
                    try await instance.gateway.place(draft, under: TestCheckout.use("\(death)")).order
                } checking: { order in
                    #expect(order.status == .paid, "\(death)")
                    let agreement = try await desk.stored(id)
                    #expect(agreement.state == .active, "\(death)")
                    #expect(agreement.unerased.count == 1, "\(death)")
                    #expect(try await desk.secrets(of: id) == 1, "\(death)")
                }
            }
            #expect(deaths >= 6)
            #expect(try await harness.complaints() == [])
        }
    }

    @Test("whenever an instance dies during a charge, it is charged once", arguments: DatabaseEngine.allCases)
    func charge(engine: DatabaseEngine) async throws {
        try await GatewayHarness.with(engine) { harness in
            let desk = AgreementDesk(harness: harness)
            let first = harness.instance("first")
            let id = try await first.driving { try await desk.begun(on: first) }
            first.life.die()
            let deaths = try await Self.die { death in
                try await Self.crash(at: death, harness) { instance in
                    let draft = ChargeDraft(amount: try TestCheckout.dollars(2000), reason: .recurring)
                    let use = TestCheckout.use("\(death)")
                    guard let answer = try await instance.gateway.charge(draft, under: id, under: use) else {
                        throw HarnessFailure.neverAsked("\(id)")
                    }
                    return answer.order
                } checking: { order in
                    #expect(order.status == .paid, "\(death)")
                }
            }
            #expect(deaths >= 6)
            #expect(try await desk.stored(id).state == .active)
            #expect(try await harness.complaints() == [])
        }
    }

    /// Has an instance die everywhere; answers how often one did.
    static func die(_ crash: (InstanceLife.Death) async throws -> Bool) async throws -> Int {
        var deaths = 0
        for way in ways {
            for number in 1... {
                guard try await crash(way(number)) else { break }
                deaths += 1
            }
        }
        return deaths
    }

    /// Has something placed on an instance that dies, and again on another that finishes it; answers false if the first
    /// did not live to see its death.
    static func crash(
        at death: InstanceLife.Death,
        _ harness: GatewayHarness,
        placing: @escaping @Sendable (GatewayInstance) async throws -> OrderID,
        checking check: (Order) async throws -> Void
    ) async throws -> Bool {
        let mortal = harness.instance("mortal \(death)", endingAt: death)
        let task = Task { try await placing(mortal) }
        let driving = Task { await mortal.gateway.run() }
        defer {
            driving.cancel()
            task.cancel()
        }
        try await harness.waitForEnd(of: mortal, key: "\(death)")
        guard await mortal.hasDied() else {
            mortal.life.die()
            return false
        }
        await mortal.database.drain()
        harness.clock.advance(milliseconds: harness.settings.rules.leaseMilliseconds)
        let heir = harness.instance("heir \(death)")
        try await heir.driving {
            let order = try await placing(heir)
            try await check(harness.orderAtRest(order))
        }
        heir.life.die()
        return true
    }
}
