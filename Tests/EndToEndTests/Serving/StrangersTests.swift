import Foundation
import PSPSimulator
import StrictJSON
import Testing
import TributaryTestKit

@Suite("Strangers who hold connections", .timeLimit(.minutes(10)))
struct StrangersTests {
    /// More than a process with so few descriptors may have.
    private static let strangers =
        ProcessInfo.processInfo.environment["TRIBUTARY_TEST_STRANGERS"].flatMap { Int($0) } ?? 240
    private static let descriptors = 200
    private static let orders = 6

    @Test("and never finish a request keep no order from being placed and paid", arguments: DatabaseEngine.allCases)
    func slow(_ engine: DatabaseEngine) async throws {
        try await withSimulators(2) { simulators in
            let bazaar = Bazaar(baseURLs: simulators.map(\.baseURL))
            try await DatabaseLocation.with(engine, prepare: bazaar.template()) { location in
                try await Fleet.with(1, of: bazaar, on: location, descriptors: Self.descriptors) { fleet in
                    let crowd = try Strangers(url: fleet.url(0))
                    defer { crowd.leave() }
                    for number in 0..<Self.orders {
                        try crowd.come(Self.strangers / Self.orders)
                        // Each order comes over a connection of its own.
                        try await CheckoutClient.with { client in
                            let basket = Basket("tok_approve", "tok_approve")
                            let body = basket.body(in: bazaar, reference: "cart-\(number)")
                            let reply = try await client.place(body, key: "cart-\(number)", at: fleet.url(0))
                            #expect(reply.status == 201, "\(reply.json.text.prefix(500))")
                            #expect(reply.json["status"] == "paid", "\(reply.json.text.prefix(500))")
                        }
                    }
                }
            }
        }
    }
}
