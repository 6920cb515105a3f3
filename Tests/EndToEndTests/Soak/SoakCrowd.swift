import HTTPTransport
import StrictJSON
import Synchronization

/// Buyers who place orders at gateways that fail in every way there is, and ask again under the same key until they are told.
final class SoakCrowd: Sendable {
    private struct State {
        var isOver = false
        var next = 0
        var asked = 0
        var unanswered: [String: Int] = [:]
        var receipts: [String: Crowd.Receipt] = [:]
        var wrong: [String] = []
    }

    /// Between two orders of a buyer: what is soaked is not how many orders there can be.
    private static let pause = Duration.milliseconds(250)
    private let state = Mutex(State())
    private let bazaar: Bazaar
    private let fleet: Fleet
    private let client: CheckoutClient

    init(_ bazaar: Bazaar, _ fleet: Fleet, _ client: CheckoutClient) {
        self.bazaar = bazaar
        self.fleet = fleet
        self.client = client
    }

    /// What the checkouts were told, by idempotency key, which is also the order's reference.
    var receipts: [String: Crowd.Receipt] { state.withLock(\.receipts) }

    /// Answers that no gateway may give.
    var wrong: [String] { state.withLock(\.wrong) }

    /// How many requests there were, and why which of them had to be sent again.
    var summary: String {
        state.withLock { state in
            let again = state.unanswered.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
            return
                "\(state.receipts.count) orders, \(state.asked) requests; sent again: \(again.joined(separator: ", "))"
        }
    }

    /// Lets the buyers finish what they have begun.
    func close() { state.withLock { $0.isOver = true } }

    /// Shops with so many buyers at once until it is closed, and everything that was begun was answered.
    func shop(buyers: Int) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<buyers { group.addTask { while try await self.buy() {} } }
            try await group.waitForAll()
        }
    }

    private func buy() async throws -> Bool {
        let number = state.withLock { state in
            state.next += 1
            return state.next
        }
        let key = "soak-\(number)"
        let order = Crowd.baskets[number % Crowd.baskets.count].body(in: bazaar, reference: key)
        var gateway = number
        while true {
            state.withLock { $0.asked += 1 }
            let reason: String
            do {
                let reply = try await client.place(order, key: key, at: fleet.url(gateway))
                if [201, 202].contains(reply.status), let id = reply.id {
                    return note(Crowd.Receipt(id: id, decision: reply.status == 201 ? reply.decision : nil), under: key)
                }
                reason = "\(reply.status) \(reply.json["code"]?.stringValue ?? "")"
                if ![409, 429, 503].contains(reply.status) {
                    state.withLock { $0.wrong.append("\(key): \(reply.status) \(reply.json.text)") }
                }
            } catch is TransportFailure {
                reason = "without an answer"
            }
            state.withLock { $0.unanswered[reason, default: 0] += 1 }
            gateway += 1
            try await Task.sleep(for: Self.pause)
        }
    }

    /// Keeps what a checkout was told, and says whether there is time for another order.
    private func note(_ receipt: Crowd.Receipt, under key: String) -> Bool {
        state.withLock { state in
            state.receipts[key] = receipt
            return !state.isOver
        }
    }
}
