import Testing

@testable import CurlTransport

@Suite("Admission")
struct AdmissionTests {
    private static let here = Origin(host: "here", port: "443")
    private static let there = Origin(host: "there", port: "443")

    @Test("lets fly up to the limit of a host, then up to the total, then wait, then refuses")
    func limits() {
        var admission = Admission(
            limits: TransportLimits(requestsPerHost: 2, requestsInTotal: 3, requestsWaiting: 2)
        )
        #expect(admission.arrive(1, at: Self.here) == .fly)
        #expect(admission.arrive(2, at: Self.here) == .fly)
        #expect(admission.arrive(3, at: Self.here) == .wait)
        #expect(admission.arrive(4, at: Self.there) == .fly)
        #expect(admission.arrive(5, at: Self.there) == .wait)
        #expect(admission.arrive(6, at: Self.here) == .refuse)
    }

    @Test("gives a free place to the first who may take it")
    func order() {
        var admission = Admission(
            limits: TransportLimits(requestsPerHost: 1, requestsInTotal: 2, requestsWaiting: 9)
        )
        #expect(admission.arrive(1, at: Self.here) == .fly)
        #expect(admission.arrive(2, at: Self.here) == .wait)
        #expect(admission.arrive(3, at: Self.there) == .fly)
        #expect(admission.arrive(4, at: Self.there) == .wait)
        #expect(admission.land(from: Self.there) == 4)
        #expect(admission.land(from: Self.there) == nil)
        #expect(admission.land(from: Self.here) == 2)
        #expect(admission.land(from: Self.here) == nil)
    }

    @Test("forgets who withdraws, and has room again")
    func withdrawal() {
        var admission = Admission(
            limits: TransportLimits(requestsPerHost: 1, requestsInTotal: 1, requestsWaiting: 1)
        )
        #expect(admission.arrive(1, at: Self.here) == .fly)
        #expect(admission.arrive(2, at: Self.here) == .wait)
        admission.withdraw(2)
        #expect(admission.arrive(3, at: Self.there) == .wait)
        #expect(admission.land(from: Self.here) == 3)
    }

    @Test("lets a host without a port of the same name fly on its own count")
    func ports() {
        var admission = Admission(limits: TransportLimits(requestsPerHost: 1))
        #expect(admission.arrive(1, at: Self.here) == .fly)
        #expect(admission.arrive(2, at: Origin(host: "here", port: "8443")) == .fly)
    }
}
