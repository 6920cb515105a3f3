import Domain
import Gateway
import Testing
import TributaryTestKit

@Suite("Crashes: at a PSP without keys", .timeLimit(.minutes(10)))
struct KeylessTakeoverTests {
    private static let settings: GatewaySettings = {
        var settings = GatewayHarness.settings
        settings.rules.unknownScheduleMilliseconds = [2, 4, 12_000]
        return settings
    }()

    private static let deaths: [InstanceLife.Death] =
        (1...3).flatMap { [.beforeWrite($0), .afterWrite($0)] } + (1...6).flatMap { [.beforeCall($0), .afterCall($0)] }

    @Test("nothing is done twice, whenever an instance dies", arguments: DatabaseEngine.allCases)
    func once(engine: DatabaseEngine) async throws {
        try await GatewayHarness.with(
            engine,
            settings: Self.settings,
            adapter: KeylessAdapter.self,
            keys: .none
        ) { harness in
            var deaths = 0
            for death in Self.deaths {
                for hotel in [ScriptedBehaviour(), .decline] {
                    let key = "\(death) \(hotel == .decline)"
                    await harness.psp.script("tok_hotel " + key, .authorize, hotel)
                    if try await Self.crash(death, key: key, harness) { deaths += 1 }
                }
            }
            // With the hotel declined there are five calls, not six.
            #expect(deaths >= 2 * Self.deaths.count - 4)
            let complaints = try await harness.complaints()
            #expect(complaints == [])
            let authorizations = await harness.psp.authorizations
            #expect(authorizations.count { $0.captures > 1 } == 0)
            #expect(Set(authorizations.map(\.reference)).count == authorizations.count)
        }
    }

    /// Places a trip on an instance that dies and has another one finish it; answers whether the first one died.
    private static func crash(
        _ death: InstanceLife.Death,
        key: String,
        _ harness: GatewayHarness
    ) async throws -> Bool {
        let mortal = harness.instance("mortal " + key, endingAt: death)
        var checkout = TestCheckout.trip
        for part in checkout.parts.indices { checkout.parts[part].token += " " + key }
        let placing = Task { [checkout] in try await mortal.place(checkout, key: key) }
        defer { placing.cancel() }
        try await harness.waitForEnd(of: mortal, key: key)
        guard await mortal.hasDied() else { return false }
        await mortal.database.drain()

        let heir = harness.instance("heir " + key)
        let again = Task { [checkout] in try await heir.place(checkout, key: key) }
        defer { again.cancel() }
        let id = try await harness.order(placedUnder: key)
        try await heir.driving {
            // A lease runs out, a doubt is believed, a pause is over: each within a few jumps.
            for _ in 0..<12 where try await !harness.order(id).isAtRest {
                harness.clock.advance(milliseconds: settings.rules.leaseMilliseconds + 2000)
                let seen = harness.signal.count
                await harness.signal.wait(beyond: seen + 3, atMost: .milliseconds(100))
            }
            _ = try await harness.orderAtRest(id)
        }
        heir.life.die()
        return true
    }
}
