@testable import CurlTransport

/// The rules of admission over one list, counted anew each time.
struct PlainAdmission {
    let limits: TransportLimits
    var waiting: [(number: UInt, lane: Lane)] = []
    var flying: [Lane] = []

    init(limits: TransportLimits) { self.limits = limits }

    mutating func arrive(_ number: UInt, in lane: Lane) -> Admission.Verdict {
        if hasPlace(in: lane) {
            flying.append(lane)
            return .fly
        }
        let ofBulkhead = waiting.count { $0.lane.bulkhead == lane.bulkhead && lane.bulkhead != nil }
        if waiting.count >= limits.requestsWaiting || ofBulkhead >= limits.requestsWaitingPerBulkhead {
            return .refuse
        }
        waiting.append((number, lane))
        return .wait
    }

    mutating func land(from lane: Lane) -> [UInt] {
        if let index = flying.firstIndex(of: lane) { flying.remove(at: index) }
        var next: [UInt] = []
        while let index = waiting.firstIndex(where: { hasPlace(in: $0.lane) }) {
            let (number, lane) = waiting.remove(at: index)
            flying.append(lane)
            next.append(number)
        }
        return next
    }

    private func hasPlace(in lane: Lane) -> Bool {
        let ofBulkhead = flying.count { $0.bulkhead == lane.bulkhead && lane.bulkhead != nil }
        return flying.count < limits.requestsInTotal && ofBulkhead < limits.requestsPerBulkhead
            && flying.count { $0.origin == lane.origin } < limits.requestsPerHost
    }
}
