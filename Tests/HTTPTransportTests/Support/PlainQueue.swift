@testable import HTTPTransport

/// The rules of admission over one list, counted anew each time.
struct PlainQueue {
    let limits: TransportLimits
    var waiting: [(number: UInt, key: QueueKey)] = []
    var admitted: [QueueKey] = []

    init(limits: TransportLimits) { self.limits = limits }

    mutating func decide(_ number: UInt, for key: QueueKey) -> ConnectionQueue.Verdict {
        if hasPlace(for: key) {
            admitted.append(key)
            return .admit
        }
        let ofBulkhead = waiting.count { $0.key.bulkhead == key.bulkhead && key.bulkhead != nil }
        if waiting.count >= limits.requestsWaiting || ofBulkhead >= limits.requestsWaitingPerBulkhead {
            return .refuse
        }
        waiting.append((number, key))
        return .wait
    }

    mutating func release(_ key: QueueKey) -> [UInt] {
        if let index = admitted.firstIndex(of: key) { admitted.remove(at: index) }
        var next: [UInt] = []
        while let index = waiting.firstIndex(where: { hasPlace(for: $0.key) }) {
            let (number, key) = waiting.remove(at: index)
            admitted.append(key)
            next.append(number)
        }
        return next
    }

    private func hasPlace(for key: QueueKey) -> Bool {
        let ofBulkhead = admitted.count { $0.bulkhead == key.bulkhead && key.bulkhead != nil }
        return admitted.count < limits.requestsInTotal && ofBulkhead < limits.requestsPerBulkhead
            && admitted.count { $0.origin == key.origin } < limits.requestsPerHost
    }
}
