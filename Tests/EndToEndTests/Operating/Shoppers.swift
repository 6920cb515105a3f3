import HTTPTransport
import StrictJSON
import Synchronization
import TributaryTestKit

/// Buyers who place orders one after the other at one address, and try nothing twice: what is not answered as it should be has
/// failed.
final class Shoppers: Sendable {
    private struct State {
        var isOver = false
        var next = 0
        var failures: [String] = []
        var receipts: [String: Crowd.Receipt] = [:]
    }

    private let state = Mutex(State())
    private let bazaar: Bazaar
    private let client: CheckoutClient
    private let url: String
    private let baskets: [Basket]

    init(_ bazaar: Bazaar, _ client: CheckoutClient, at url: String, baskets: [Basket] = Crowd.baskets) {
        self.bazaar = bazaar
        self.client = client
        self.url = url
        self.baskets = baskets
    }

    /// What was not answered, or not with 201 or 202, in words.
    var failures: [String] { state.withLock(\.failures) }

    /// What the checkouts were told, by idempotency key, which is also the order's reference.
    var receipts: [String: Crowd.Receipt] { state.withLock(\.receipts) }

    /// Lets the buyers finish what they have begun.
    func close() { state.withLock { $0.isOver = true } }

    /// Waits until so many more orders were placed, for a minute at most; says whether they were.
    func place(more count: Int) async throws -> Bool {
        let wanted = receipts.count + count
        let end = ContinuousClock.now + .patience
        while receipts.count < wanted {
            guard ContinuousClock.now < end else { return false }
            try await Task.sleep(for: .milliseconds(20))
        }
        return true
    }

    /// Shops with so many buyers at once until they are told to close.
    func shop(buyers: Int) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<buyers { group.addTask { while try await self.buy() {} } }
            try await group.waitForAll()
        }
    }

    /// Shops with so many buyers while `body` runs.
    func shop<Value: Sendable>(
        buyers: Int,
        while body: @escaping @Sendable (Shoppers) async throws -> Value
    ) async throws -> Value {
        async let shopping: Void = shop(buyers: buyers)
        let result: Result<Value, any Error>
        do { result = .success(try await body(self)) } catch { result = .failure(error) }
        close()
        try await shopping
        return try result.get()
    }

    /// Places one order, and says whether there is time for another one.
    private func buy() async throws -> Bool {
        let number = state.withLock { state in
            state.next += 1
            return state.next
        }
        let key = "cart-\(number)"
        let order = baskets[number % baskets.count].body(in: bazaar, reference: key)
        do {
            let reply = try await client.place(order, key: key, at: url)
            state.withLock { state in
                guard [201, 202].contains(reply.status), let id = reply.id else {
                    return state.failures.append("\(key): \(reply.status) \(reply.json.text)")
                }
                state.receipts[key] = Crowd.Receipt(id: id, decision: reply.status == 201 ? reply.decision : nil)
            }
        } catch let failure as TransportFailure {
            state.withLock { $0.failures.append("\(key): \(failure)") }
        }
        return state.withLock { !$0.isOver }
    }
}
