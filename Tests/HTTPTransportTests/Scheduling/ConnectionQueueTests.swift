import SeededRandom
import Testing

@testable import HTTPTransport

@Suite("The queue for connections")
struct ConnectionQueueTests {
    private static let here = QueueKey(origin: Origin(host: "here", port: "443"), bulkhead: nil)
    private static let there = QueueKey(origin: Origin(host: "there", port: "443"), bulkhead: nil)

    @Test("admits up to the limit of a host, then up to the total, then has them wait, then refuses")
    func limits() {
        var queue = ConnectionQueue(
            limits: TransportLimits(requestsPerHost: 2, requestsInTotal: 3, requestsWaiting: 2)
        )
        #expect(queue.decide(1, for: Self.here) == .admit)
        #expect(queue.decide(2, for: Self.here) == .admit)
        #expect(queue.decide(3, for: Self.here) == .wait)
        #expect(queue.decide(4, for: Self.there) == .admit)
        #expect(queue.decide(5, for: Self.there) == .wait)
        #expect(queue.decide(6, for: Self.here) == .refuse)
    }

    @Test("gives a free place to the first who may take it")
    func order() {
        var queue = ConnectionQueue(
            limits: TransportLimits(requestsPerHost: 1, requestsInTotal: 2, requestsWaiting: 9)
        )
        #expect(queue.decide(1, for: Self.here) == .admit)
        #expect(queue.decide(2, for: Self.here) == .wait)
        #expect(queue.decide(3, for: Self.there) == .admit)
        #expect(queue.decide(4, for: Self.there) == .wait)
        #expect(queue.release(Self.there) == [4])
        #expect(queue.release(Self.there) == [])
        #expect(queue.release(Self.here) == [2])
        #expect(queue.release(Self.here) == [])
    }

    @Test("forgets who withdraws, and has room again")
    func withdrawal() {
        var queue = ConnectionQueue(
            limits: TransportLimits(requestsPerHost: 1, requestsInTotal: 1, requestsWaiting: 1)
        )
        #expect(queue.decide(1, for: Self.here) == .admit)
        #expect(queue.decide(2, for: Self.here) == .wait)
        queue.withdraw(2, from: Self.here)
        #expect(queue.decide(3, for: Self.there) == .wait)
        #expect(queue.release(Self.here) == [3])
    }

    @Test("counts a host's ports apart")
    func ports() {
        var queue = ConnectionQueue(limits: TransportLimits(requestsPerHost: 1))
        #expect(queue.decide(1, for: Self.here) == .admit)
        #expect(queue.decide(2, for: QueueKey(origin: Origin(host: "here", port: "8443"), bulkhead: nil)) == .admit)
    }

    @Test("admits up to the limit of a bulkhead, whatever the hosts, and others past those who wait")
    func bulkheads() {
        var queue = ConnectionQueue(
            limits: TransportLimits(requestsPerHost: 3, requestsInTotal: 4, requestsPerBulkhead: 2)
        )
        #expect(queue.decide(1, for: Self.key("here", "a")) == .admit)
        #expect(queue.decide(2, for: Self.key("there", "a")) == .admit)
        #expect(queue.decide(3, for: Self.key("here", "a")) == .wait)
        #expect(queue.decide(4, for: Self.key("here", "b")) == .admit)
        #expect(queue.decide(5, for: Self.key("here", nil)) == .admit)
        #expect(queue.decide(6, for: Self.key("there", "b")) == .wait)
        #expect(queue.release(Self.key("here", nil)) == [6])
        #expect(queue.release(Self.key("there", "a")) == [3])
    }

    @Test("admits two for one that was released, if one waited for its host and the other for its bulkhead")
    func two() {
        var queue = ConnectionQueue(
            limits: TransportLimits(requestsPerHost: 1, requestsInTotal: 9, requestsPerBulkhead: 1)
        )
        #expect(queue.decide(1, for: Self.key("here", "a")) == .admit)
        #expect(queue.decide(2, for: Self.key("there", "a")) == .wait)
        #expect(queue.decide(3, for: Self.key("here", "b")) == .wait)
        #expect(queue.release(Self.key("here", "a")) == [2, 3])
    }

    @Test("refuses to let a bulkhead fill the queue")
    func bulkheadQueue() {
        var queue = ConnectionQueue(
            limits: TransportLimits(requestsPerHost: 1, requestsWaiting: 3, requestsWaitingPerBulkhead: 2)
        )
        #expect(queue.decide(1, for: Self.key("here", "a")) == .admit)
        #expect(queue.decide(2, for: Self.key("here", "a")) == .wait)
        #expect(queue.decide(3, for: Self.key("here", "a")) == .wait)
        #expect(queue.decide(4, for: Self.key("here", "a")) == .refuse)
        #expect(queue.decide(5, for: Self.key("here", "b")) == .wait)
        #expect(queue.decide(6, for: Self.key("here", "b")) == .refuse)
        queue.withdraw(2, from: Self.key("here", "a"))
        #expect(queue.decide(7, for: Self.key("here", "a")) == .wait)
    }

    @Test("does what a plain list of all who wait would do, through ten thousand random events", arguments: 1...4)
    func likeAPlainList(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let limits = TransportLimits(
            requestsPerHost: 3,
            requestsInTotal: 6,
            requestsPerBulkhead: 2,
            requestsWaiting: 12,
            requestsWaitingPerBulkhead: 5
        )
        var queue = ConnectionQueue(limits: limits)
        var plain = PlainQueue(limits: limits)
        for number in UInt(1)...10_000 {
            switch Int.random(in: 0..<8, using: &random) {
            case 0..<4:
                let key = Self.key(
                    ["here", "there", "nowhere"].randomElement(using: &random) ?? "",
                    ["a", "b", "c", nil].randomElement(using: &random) ?? nil
                )
                #expect(queue.decide(number, for: key) == plain.decide(number, for: key))
            case 4..<7:
                guard let key = plain.admitted.randomElement(using: &random) else { continue }
                #expect(queue.release(key) == plain.release(key))
            default:
                guard let (number, key) = plain.waiting.randomElement(using: &random) else { continue }
                queue.withdraw(number, from: key)
                plain.waiting.removeAll { $0.number == number }
            }
        }
    }

    private static func key(_ host: String, _ bulkhead: String?) -> QueueKey {
        QueueKey(origin: Origin(host: host, port: "443"), bulkhead: bulkhead)
    }
}
