import PSPSimulator
import Testing
import TributaryTestKit

@Suite("Gateways that are killed while buyers shop", .timeLimit(.minutes(10)))
struct KillingTests {
    /// How long the killing goes on at least.
    private static let killing = Duration.seconds(10)
    private static let leastKills = 3

    @Test(
        "lose nothing and double nothing, two on PostgreSQL or one on SQLite",
        arguments: DatabaseEngine.allCases
    )
    func kill(_ engine: DatabaseEngine) async throws {
        try await withSimulators(2) { simulators in
            let bazaar = Bazaar(baseURLs: simulators.map(\.baseURL))
            try await DatabaseLocation.with(engine, prepare: bazaar.template()) { location in
                let count = engine == .postgres ? 2 : 1
                try await Fleet.with(count, of: bazaar, on: location, patience: .short) { fleet in
                    let receipts = try await CheckoutClient.with { client in
                        let crowd = Crowd(bazaar, fleet, client)
                        let kills = try await Self.shopAndKill(crowd, fleet)
                        #expect(kills >= Self.leastKills)
                        #expect(crowd.repeats >= 1)
                        return crowd.receipts
                    }
                    #expect(receipts.count >= Crowd.baskets.count)
                    try await BooksAtRest.check(receipts, location, simulators)
                }
            }
        }
    }

    /// Kills and restarts the gateways in turn while a crowd shops; answers how often.
    private static func shopAndKill(_ crowd: Crowd, _ fleet: Fleet) async throws -> Int {
        try await withThrowingTaskGroup(of: Int.self) { group in
            group.addTask {
                try await crowd.shop(buyers: 16)
                return 0
            }
            group.addTask {
                defer { crowd.close() }
                let end = ContinuousClock.now + killing
                var kills = 0
                while ContinuousClock.now < end || kills < leastKills {
                    try await Task.sleep(for: .milliseconds(Int.random(in: 200...900)))
                    await fleet.kill(kills % fleet.count)
                    try await fleet.restart(kills % fleet.count)
                    kills += 1
                }
                return kills
            }
            return try await group.reduce(0, +)
        }
    }
}
