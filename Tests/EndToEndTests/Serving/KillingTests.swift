import Domain
import PSPSimulator
import SQL
import Testing
import TributaryTestKit

@Suite("Gateways that are killed while buyers shop", .timeLimit(.minutes(5)))
struct KillingTests {
    /// How long the killing goes on.
    private static let killing = Duration.seconds(10)
    /// A dead gateway's leases run out after 34 s where others cannot know that it is dead.
    private static let restPatience = Duration.seconds(120)
    private static let lookPause = Duration.milliseconds(200)

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
                        #expect(kills >= 3)
                        #expect(crowd.repeats >= 1)
                        return crowd.receipts
                    }
                    try await Self.check(receipts, location, simulators)
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
                while ContinuousClock.now < end {
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

    private static func check(
        _ receipts: [String: Crowd.Receipt],
        _ location: DatabaseLocation,
        _ simulators: [RunningSimulator]
    ) async throws {
        try await location.withOpen(connections: 2) { database in
            let orders = try await ordersAtRest(in: database)
            let byReference = Dictionary(grouping: orders) { $0.reference ?? "" }
            for (reference, same) in byReference { #expect(same.count == 1, "\(reference)") }
            for (key, receipt) in receipts {
                let order = byReference[key]?.first
                #expect(order?.id.text == receipt.id, "\(key) was acknowledged")
                guard let told = receipt.decision else { continue }
                #expect(order?.decision.state.rawValue == told, "\(key) was answered")
            }
            #expect(receipts.count >= Crowd.baskets.count)
            #expect(Set(byReference.keys) == Set(receipts.keys))
            #expect(try await LedgerCheck.complaints(about: database, rules: OrderTimings()) == [])
            let books = await PSPBooks.read(simulators)
            #expect(books.differences(from: orders) == [])
        }
    }

    /// Waits until every order is at rest.
    private static func ordersAtRest(in database: any Database) async throws -> [Order] {
        let end = ContinuousClock.now + restPatience
        while true {
            let orders = try await LedgerCheck.orders(in: database)
            let restless = orders.filter { !$0.isAtRest }
            if restless.isEmpty { return orders }
            try #require(ContinuousClock.now < end, "\(restless.map { "\($0.id) \($0.status)" })")
            try await Task.sleep(for: lookPause)
        }
    }
}
