import Domain
import HTTPTransport
import StrictJSON
import Synchronization
import Testing

/// Buyers who place orders, one after the other, at gateways that die under their hands.
///
/// A request whose connection broke is sent again under the same key, to the next gateway.
final class Crowd: Sendable {
    /// What buyers put into their baskets, in turn.
    static let baskets: [Basket] = {
        var bestEffort = Basket("tok_decline_generic", "tok_approve", "tok_approve")
        bestEffort.policy = ["type": "best_effort"]
        var manual = Basket("tok_approve", "tok_slow_200")
        manual.capture = "manual"
        return [
            Basket("tok_approve", "tok_approve"), Basket("tok_approve", "tok_decline_insufficient_funds"),
            bestEffort,
            Basket("tok_slow_150", "tok_approve+capture_slow_150"), manual, Basket("tok_approve"),
            Basket("tok_close_after", "tok_approve+capture_close_after"),
            Basket("tok_approve+void_close_after", "tok_captured", "tok_decline_generic"),
        ]
    }()

    /// What a checkout was told of its order.
    struct Receipt: Sendable {
        var id: String
        /// Nil as long as it was told to wait.
        var decision: String?
    }

    private struct State {
        var isOver = false
        var next = 0
        var repeats = 0
        var receipts: [String: Receipt] = [:]
    }

    private static let pause = Duration.milliseconds(30)
    private let state = Mutex(State())
    private let bazaar: Bazaar
    private let fleet: Fleet
    private let client: CheckoutClient

    init(_ bazaar: Bazaar, _ fleet: Fleet, _ client: CheckoutClient) {
        self.bazaar = bazaar
        self.fleet = fleet
        self.client = client
    }

    /// How many requests had to be sent again.
    var repeats: Int { state.withLock(\.repeats) }

    /// What the checkouts were told, by idempotency key, which is also the order's reference.
    var receipts: [String: Receipt] { state.withLock(\.receipts) }

    /// Lets the buyers finish what they have begun.
    func close() { state.withLock { $0.isOver = true } }

    /// Shops with so many buyers at once until the crowd is closed.
    func shop(buyers: Int) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<buyers { group.addTask { while try await self.buy() {} } }
            try await group.waitForAll()
        }
    }

    /// Places one order, and says whether there is time for another one.
    private func buy() async throws -> Bool {
        let number = state.withLock { state in
            state.next += 1
            return state.next
        }
        let key = "cart-\(number)"
        let order = Self.baskets[number % Self.baskets.count].body(in: bazaar, reference: key)
        var gateway = number
        while true {
            do {
                let reply = try await client.place(order, key: key, at: fleet.url(gateway))
                try note(reply, under: key)
                return state.withLock { !$0.isOver }
            } catch is TransportFailure {
                state.withLock { $0.repeats += 1 }
                gateway += 1
                try await Task.sleep(for: Self.pause)
            }
        }
    }

    private func note(_ reply: CheckoutClient.Reply, under key: String) throws {
        try #require(
            reply.status == 201 || reply.status == 202,
            "\(key): \(reply.status) \(reply.json.text)"
        )
        let id = try #require(reply.id)
        let receipt = Receipt(id: id, decision: reply.status == 201 ? reply.decision : nil)
        state.withLock { $0.receipts[key] = receipt }
    }
}
