import PSPSimulator
import StrictJSON
import Synchronization
import Testing
import TributaryTestKit

@Suite("A PSP that never answers", .timeLimit(.minutes(10)))
struct SilentPSPTests {
    /// More than a gateway has connections for one PSP account, which is 32.
    private static let silentOrders = 80
    private static let promptOrders = 12
    /// Less than a gateway of the fleet waits for a PSP, so that it is the deadline that decides.
    private static let deadlineMilliseconds: Int64 = 10_000
    private static let lookPause = Duration.milliseconds(50)

    @Test(
        "delays neither other orders nor, beyond the deadline, an order's payments at other PSPs",
        arguments: DatabaseEngine.allCases
    )
    func silence(_ engine: DatabaseEngine) async throws {
        try await withSimulators(2) { simulators in
            let bazaar = Bazaar(baseURLs: simulators.map(\.baseURL))
            try await DatabaseLocation.with(engine, prepare: bazaar.template()) { location in
                try await Fleet.with(1, of: bazaar, on: location) { fleet in
                    try await CheckoutClient.with { client in
                        let shop = Shop(bazaar: bazaar, url: fleet.url(0), client: client)
                        try await Self.check(shop, simulators)
                    }
                }
            }
        }
    }

    /// Where the orders go.
    private struct Shop: Sendable {
        let bazaar: Bazaar
        let url: String
        let client: CheckoutClient

        func place(_ basket: Basket, _ key: String) async throws -> CheckoutClient.Reply {
            try await client.place(basket.body(in: bazaar, reference: key), key: key, at: url)
        }
    }

    /// Which orders were answered, in the order of their answers.
    private final class Answered: Sendable {
        private let all = Mutex<[String]>([])

        var kinds: [String] { all.withLock(\.self) }

        func add(_ kind: String) { all.withLock { $0.append(kind) } }
    }

    private static func check(_ shop: Shop, _ simulators: [RunningSimulator]) async throws {
        let answered = Answered()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<silentOrders {
                group.addTask {
                    var basket = Basket("tok_never")
                    basket.deadlineMilliseconds = 60_000
                    let reply = try? await shop.place(basket, "silent-\(number)")
                    // One that waited for a connection until its time was up was never sent, and so is refused.
                    if reply?.json["status"] != "failed" { answered.add("silent") }
                }
            }
            // The PSP holds as many requests as a gateway sends it at once; the others wait behind them.
            try await waitUntilHeld(simulators[0])
            async let mixed: Void = checkDeadline(shop)
            for number in 0..<promptOrders {
                let reply = try await shop.place(
                    Basket(tokens: ["tok_approve"], from: 1),
                    "prompt-\(number)"
                )
                // On a busy machine the capture may be under way still; all of them come (``waitUntilCaptured(_:_:)``).
                #expect(reply.decision == "accepted")
                answered.add("prompt")
            }
            try await mixed
            // All others are answered, and not one of the orders that the silent PSP has is.
            #expect(answered.kinds == [String](repeating: "prompt", count: promptOrders))
            group.cancelAll()
        }
        try await waitUntilCaptured(promptOrders + 1, simulators[1])
        #expect(await simulators[0].authorizations(of: Bazaar.bookName(ofAccount: 0)).isEmpty)
    }

    /// The payment at the PSP that answers is taken once the deadline has passed.
    private static func checkDeadline(_ shop: Shop) async throws {
        var basket = Basket("tok_never", "tok_approve")
        basket.policy = ["type": "best_effort"]
        basket.onDeadline = "abandon"
        basket.deadlineMilliseconds = deadlineMilliseconds
        let reply = try await shop.place(basket, "mixed")
        #expect(reply.status == 201)
        #expect(reply.decision == "accepted")
        // At the deadline, or once the payment has waited for a connection for as long as a call may take.
        let reasons: [JSON?] = ["policy_satisfied_at_deadline", "policy_satisfied"]
        #expect(reasons.contains(reply.json["decision_reason"]))
        // The capture that the decision began may still be under way, and comes to its end (``waitUntilCaptured(_:_:)``).
        let captures: [JSON?] = ["captured", "capturing"]
        #expect(captures.contains(reply.json["payments"]?[1]?["status"]))
    }

    private static func waitUntilCaptured(_ count: Int, _ simulator: RunningSimulator) async throws {
        let end = ContinuousClock.now + .patience
        while true {
            let found = await simulator.authorizations(of: Bazaar.bookName(ofAccount: 1))
            if found.count(where: { $0.captured > 0 }) == count { return #expect(found.count == count) }
            guard ContinuousClock.now < end else { throw HarnessFailure.neverCame("\(count) captures") }
            try await Task.sleep(for: lookPause)
        }
    }

    private static func waitUntilHeld(_ simulator: RunningSimulator) async throws {
        while await simulator.read({ books, _ in books.requests }) < 32 {
            try await Task.sleep(for: lookPause)
        }
    }
}
