import Foundation
import PSPSimulator
import StrictJSON
import Testing
import TributaryTestKit

/// Everything that strangers and a neighbour can do to a server at once, and a checkout in the middle of it.
@Suite("A server under siege", .timeLimit(.minutes(10)))
struct SiegeTests {
    /// How many orders are placed, one a second; 120 on request.
    private static let orders =
        ProcessInfo.processInfo.environment["TRIBUTARY_TEST_SIEGE"].flatMap { Int($0) } ?? 5
    private static let floods = 64
    private static let strangers = 400
    private static let descriptors = 1024

    @Test("answers every order that it takes within its deadline", arguments: DatabaseEngine.allCases)
    func siege(_ engine: DatabaseEngine) async throws {
        try await withSimulators(2) { simulators in
            let bazaar = Bazaar(baseURLs: simulators.map(\.baseURL))
            try await DatabaseLocation.with(engine, prepare: bazaar.template()) { location in
                try await Fleet.with(1, of: bazaar, on: location, descriptors: Self.descriptors) { fleet in
                    let crowd = try Strangers(url: fleet.url(0))
                    defer { crowd.leave() }
                    try crowd.come(Self.strangers)
                    try await CheckoutClient.with { attacker in
                        try await withThrowingTaskGroup(of: Void.self) { group in
                            for number in 0..<4 {
                                group.addTask { await Self.send(runs: number, by: attacker, to: fleet.url(0)) }
                            }
                            for number in 0..<Self.floods {
                                group.addTask { await Self.flood(number, of: bazaar, by: attacker, to: fleet.url(0)) }
                            }
                            try await Self.shop(in: bazaar, at: fleet.url(0))
                            group.cancelAll()
                        }
                    }
                }
            }
        }
    }

    /// Places an order a second, each again after a refusal, as a checkout does.
    private static func shop(in bazaar: Bazaar, at url: String) async throws {
        try await CheckoutClient.with { client in
            for number in 0..<orders {
                let begin = ContinuousClock.now
                let basket = Basket("tok_approve", "tok_approve")
                let body = basket.body(in: bazaar, reference: "cart-\(number)")
                let deadline = Duration.milliseconds(basket.deadlineMilliseconds)
                var reply: CheckoutClient.Reply
                var tried: ContinuousClock.Instant
                repeat {
                    tried = .now
                    reply = try await client.place(body, key: "cart-\(number)", at: url)
                    // The bound is the order's own deadline, of which the answer keeps clear by far.
                    #expect(ContinuousClock.now - tried < deadline, "\(reply.json.text.prefix(300))")
                    guard reply.status == 503 else { break }
                    try await Task.sleep(for: .milliseconds(500))
                } while ContinuousClock.now - begin < .seconds(60)
                #expect(reply.status == 201, "order \(number): \(reply.json.text.prefix(500))")
                try await Task.sleep(until: begin + .seconds(1))
            }
        }
    }

    /// Runs of combining marks wherever a stranger can put them.
    private static func send(runs number: Int, by attacker: CheckoutClient, to url: String) async {
        let marks = Array(String(repeating: "\u{0301}\u{0316}", count: 15_000).utf8)
        let document = Array("{\"a".utf8) + marks + Array("\":1}".utf8)
        while !Task.isCancelled {
            switch number {
            case 0: _ = await attacker.post("/v1/psp/simulator/psp-0/webhooks", [], document, at: url)
            case 1: _ = await attacker.post("/v1/psp/simulator/nobody/webhooks", [], document, at: url)
            case 2:
                let scheme = String(decoding: marks.prefix(7000), as: UTF8.self)
                _ = await attacker.post("/v1/orders", [(name: "Authorization", value: scheme + " x")], [], at: url)
            default: _ = try? await attacker.place(document, key: UUID().uuidString, at: url)
            }
        }
    }

    /// A neighbour who places orders as fast as they are answered.
    private static func flood(_ number: Int, of bazaar: Bazaar, by attacker: CheckoutClient, to url: String) async {
        var count = 0
        while !Task.isCancelled {
            let reference = "flood-\(number)-\(count)"
            let body = Basket("tok_approve", "tok_approve").body(in: bazaar, reference: reference)
            _ = try? await attacker.place(body, key: reference, at: url)
            count += 1
        }
    }
}
