import PSPSimulator
import StrictJSON
import Testing
import TributaryTestKit

@Suite("Two gateways behind a load balancer", .timeLimit(.minutes(10)))
struct RollingTests {
    /// How many buyers shop at once.
    private static let buyers = 4
    /// How long a gateway that ends is not ready and serves on: the load balancer looks twenty times as often.
    private static let drain = "drain_time: 1s"

    private static func with(
        _ body: (Bazaar, DatabaseLocation, Fleet, RoundRobinProxy, [RunningSimulator]) async throws -> Void
    ) async throws {
        try await withSimulators(2) { simulators in
            let bazaar = Bazaar(baseURLs: simulators.map(\.baseURL))
            try await DatabaseLocation.with(.postgres, prepare: bazaar.template()) { location in
                try await Fleet.with(2, of: bazaar, on: location, adding: drain) { fleet in
                    let proxy = try RoundRobinProxy { fleet.ports }
                    defer { proxy.stop() }
                    try #require(try await proxy.waits(forReady: 2))
                    try await body(bazaar, location, fleet, proxy, simulators)
                }
            }
        }
    }

    @Test("are upgraded one after the other under load, and no request fails")
    func upgrade() async throws {
        try await Self.with { bazaar, location, fleet, proxy, simulators in
            let shoppers = try await CheckoutClient.with { client in
                let shoppers = Shoppers(bazaar, client, at: proxy.url)
                try await shoppers.shop(buyers: Self.buyers) { shoppers in
                    // As the page has it: the new program looks, migrates beside the old ones, and takes their places.
                    try await Self.migrate(["--check"], bazaar, location)
                    try await Self.migrate([], bazaar, location)
                    for number in 0..<fleet.count {
                        try #require(try await shoppers.place(more: 6))
                        #expect(try await fleet.stop(number) == .exited(0))
                        try #require(try await shoppers.place(more: 3))
                        try await fleet.restart(number)
                        try #require(try await proxy.waits(forReady: 2))
                    }
                    try #require(try await shoppers.place(more: 6))
                    try await Self.migrate(["--check"], bazaar, location)
                }
                return shoppers
            }
            #expect(shoppers.failures == [])
            #expect(proxy.unanswered == 0)
            #expect(proxy.refused == 0)
            // Those that the first ones handed their buyers to; who keeps a connection does not come to the last one.
            #expect(proxy.passed.count >= 3, "\(proxy.passed)")
            try await BooksAtRest.check(shoppers.receipts, location, simulators)
        }
    }

    @Test("lose requests when one is killed instead, which the load balancer counts")
    func kill() async throws {
        try await Self.with { bazaar, _, fleet, proxy, _ in
            try await CheckoutClient.with { client in
                let slow = [Basket("tok_slow_400"), Basket("tok_approve", "tok_slow_400")]
                try await Shoppers(bazaar, client, at: proxy.url, baskets: slow).shop(buyers: Self.buyers) { shoppers in
                    // At some moment none may be in hand.
                    for _ in 0..<10 where proxy.unanswered == 0 {
                        try #require(try await shoppers.place(more: 6))
                        await fleet.kill(0)
                        try await fleet.restart(0)
                        try #require(try await proxy.waits(forReady: 2))
                    }
                }
            }
            #expect(proxy.unanswered > 0)
        }
    }

    private static func migrate(_ options: [String], _ bazaar: Bazaar, _ location: DatabaseLocation) async throws {
        let finished = try await Programs.with { programs in
            let environment = bazaar.environment.merging(["TRIBUTARY_DATABASE_URL": location.text]) { $1 }
            let program = try programs.start(.tributary, ["migrate"] + options, environment: environment)
            return try await Finished(program, within: .patience)
        }
        #expect(finished.status == 0, "\(options): \(finished.out) \(finished.err)")
    }
}
