import Testing

@testable import CurlTransport

@Suite("Admission")
struct AdmissionTests {
    private static let here = Lane(origin: Origin(host: "here", port: "443"), bulkhead: nil)
    private static let there = Lane(origin: Origin(host: "there", port: "443"), bulkhead: nil)

    @Test("lets fly up to the limit of a host, then up to the total, then wait, then refuses")
    func limits() {
        var admission = Admission(
            limits: TransportLimits(requestsPerHost: 2, requestsInTotal: 3, requestsWaiting: 2)
        )
        #expect(admission.arrive(1, in: Self.here) == .fly)
        #expect(admission.arrive(2, in: Self.here) == .fly)
        #expect(admission.arrive(3, in: Self.here) == .wait)
        #expect(admission.arrive(4, in: Self.there) == .fly)
        #expect(admission.arrive(5, in: Self.there) == .wait)
        #expect(admission.arrive(6, in: Self.here) == .refuse)
    }

    @Test("gives a free place to the first who may take it")
    func order() {
        var admission = Admission(
            limits: TransportLimits(requestsPerHost: 1, requestsInTotal: 2, requestsWaiting: 9)
        )
        #expect(admission.arrive(1, in: Self.here) == .fly)
        #expect(admission.arrive(2, in: Self.here) == .wait)
        #expect(admission.arrive(3, in: Self.there) == .fly)
        #expect(admission.arrive(4, in: Self.there) == .wait)
        #expect(admission.land(from: Self.there) == [4])
        #expect(admission.land(from: Self.there) == [])
        #expect(admission.land(from: Self.here) == [2])
        #expect(admission.land(from: Self.here) == [])
    }

    @Test("forgets who withdraws, and has room again")
    func withdrawal() {
        var admission = Admission(
            limits: TransportLimits(requestsPerHost: 1, requestsInTotal: 1, requestsWaiting: 1)
        )
        #expect(admission.arrive(1, in: Self.here) == .fly)
        #expect(admission.arrive(2, in: Self.here) == .wait)
        admission.withdraw(2, from: Self.here)
        #expect(admission.arrive(3, in: Self.there) == .wait)
        #expect(admission.land(from: Self.here) == [3])
    }

    @Test("lets a host without a port of the same name fly on its own count")
    func ports() {
        var admission = Admission(limits: TransportLimits(requestsPerHost: 1))
        #expect(admission.arrive(1, in: Self.here) == .fly)
        #expect(admission.arrive(2, in: Lane(origin: Origin(host: "here", port: "8443"), bulkhead: nil)) == .fly)
    }

    @Test("lets fly up to the limit of a bulkhead, whatever the hosts, and others past those who wait")
    func bulkheads() {
        var admission = Admission(
            limits: TransportLimits(requestsPerHost: 3, requestsInTotal: 4, requestsPerBulkhead: 2)
        )
        #expect(admission.arrive(1, in: Self.lane("here", "a")) == .fly)
        #expect(admission.arrive(2, in: Self.lane("there", "a")) == .fly)
        #expect(admission.arrive(3, in: Self.lane("here", "a")) == .wait)
        #expect(admission.arrive(4, in: Self.lane("here", "b")) == .fly)
        #expect(admission.arrive(5, in: Self.lane("here", nil)) == .fly)
        #expect(admission.arrive(6, in: Self.lane("there", "b")) == .wait)
        #expect(admission.land(from: Self.lane("here", nil)) == [6])
        #expect(admission.land(from: Self.lane("there", "a")) == [3])
    }

    @Test("lets two fly for one that landed, if one waited for its host and the other for its bulkhead")
    func two() {
        var admission = Admission(
            limits: TransportLimits(requestsPerHost: 1, requestsInTotal: 9, requestsPerBulkhead: 1)
        )
        #expect(admission.arrive(1, in: Self.lane("here", "a")) == .fly)
        #expect(admission.arrive(2, in: Self.lane("there", "a")) == .wait)
        #expect(admission.arrive(3, in: Self.lane("here", "b")) == .wait)
        #expect(admission.land(from: Self.lane("here", "a")) == [2, 3])
    }

    @Test("refuses to let a bulkhead fill the queue")
    func bulkheadQueue() {
        var admission = Admission(
            limits: TransportLimits(requestsPerHost: 1, requestsWaiting: 3, requestsWaitingPerBulkhead: 2)
        )
        #expect(admission.arrive(1, in: Self.lane("here", "a")) == .fly)
        #expect(admission.arrive(2, in: Self.lane("here", "a")) == .wait)
        #expect(admission.arrive(3, in: Self.lane("here", "a")) == .wait)
        #expect(admission.arrive(4, in: Self.lane("here", "a")) == .refuse)
        #expect(admission.arrive(5, in: Self.lane("here", "b")) == .wait)
        #expect(admission.arrive(6, in: Self.lane("here", "b")) == .refuse)
        admission.withdraw(2, from: Self.lane("here", "a"))
        #expect(admission.arrive(7, in: Self.lane("here", "a")) == .wait)
    }

    @Test("does what a plain list of all who wait would do, through ten thousand random events", arguments: 1...4)
    func likeAPlainList(seed: UInt64) throws {
        var random = RandomSequence(seed: seed)
        let limits = TransportLimits(
            requestsPerHost: 3,
            requestsInTotal: 6,
            requestsPerBulkhead: 2,
            requestsWaiting: 12,
            requestsWaitingPerBulkhead: 5
        )
        var admission = Admission(limits: limits)
        var plain = PlainAdmission(limits: limits)
        for number in UInt(1)...10_000 {
            switch Int.random(in: 0..<8, using: &random) {
            case 0..<4:
                let lane = Self.lane(
                    ["here", "there", "nowhere"].randomElement(using: &random) ?? "",
                    ["a", "b", "c", nil].randomElement(using: &random) ?? nil
                )
                #expect(admission.arrive(number, in: lane) == plain.arrive(number, in: lane))
            case 4..<7:
                guard let lane = plain.flying.randomElement(using: &random) else { continue }
                #expect(admission.land(from: lane) == plain.land(from: lane))
            default:
                guard let (number, lane) = plain.waiting.randomElement(using: &random) else { continue }
                admission.withdraw(number, from: lane)
                plain.waiting.removeAll { $0.number == number }
            }
        }
    }

    private static func lane(_ host: String, _ bulkhead: String?) -> Lane {
        Lane(origin: Origin(host: host, port: "443"), bulkhead: bulkhead)
    }
}
