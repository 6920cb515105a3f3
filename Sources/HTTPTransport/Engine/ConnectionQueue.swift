/// Which requests may have a connection and which wait for one: a pure count per origin, per bulkhead and in total.
///
/// Nobody waits for a place that is free: of those whose origin and bulkhead have one, the oldest takes it, however
/// many wait before it for others. libcurl has limits and a queue of its own, but a request in that queue does not
/// time out, so it never gets there.
struct ConnectionQueue {
    /// What becomes of a new request.
    enum Verdict: Hashable {
        /// A place was free; it is taken.
        case admit
        /// It is queued.
        case wait
        /// As many wait as may.
        case refuse
    }

    private let limits: TransportLimits
    /// The oldest first; no list is empty.
    private var waiting: [QueueKey: [UInt]] = [:]
    private var waitingInTotal = 0
    private var waitingOfBulkhead: [String: Int] = [:]
    private var admittedTo: [Origin: Int] = [:]
    private var admittedOfBulkhead: [String: Int] = [:]
    private var admittedInTotal = 0

    init(limits: TransportLimits) { self.limits = limits }

    /// Decides about a new request; of two numbers the lower is that of the older request.
    ///
    /// A place that is free for it is free because nobody who waits may take it.
    mutating func decide(_ number: UInt, for key: QueueKey) -> Verdict {
        if hasPlace(for: key) {
            count(1, admittedFor: key)
            return .admit
        }
        guard mayWait(for: key) else { return .refuse }
        waiting[key, default: []].append(number)
        count(1, waitingFor: key)
        return .wait
    }

    /// Gives back the place of a request that was admitted, and says which waiting ones are admitted now.
    ///
    /// They can be two, one that waited for the origin and one that waited for the bulkhead.
    mutating func release(_ key: QueueKey) -> [UInt] {
        count(-1, admittedFor: key)
        var next: [UInt] = []
        while let key = keyOfNext(), let number = waiting[key]?.first {
            withdraw(number, from: key)
            count(1, admittedFor: key)
            next.append(number)
        }
        return next
    }

    /// Forgets a request that waits no longer.
    mutating func withdraw(_ number: UInt, from key: QueueKey) {
        guard var line = waiting[key], let index = line.firstIndex(of: number) else { return }
        line.remove(at: index)
        waiting[key] = line.isEmpty ? nil : line
        count(-1, waitingFor: key)
    }

    /// Of the keys that have a place, the one for which the oldest waits.
    private func keyOfNext() -> QueueKey? {
        waiting.lazy.filter { hasPlace(for: $0.key) }.min { $0.value[0] < $1.value[0] }?.key
    }

    private func hasPlace(for key: QueueKey) -> Bool {
        let ofBulkhead = key.bulkhead.flatMap { admittedOfBulkhead[$0] } ?? 0
        return admittedInTotal < limits.requestsInTotal && admittedTo[key.origin, default: 0] < limits.requestsPerHost
            && ofBulkhead < limits.requestsPerBulkhead
    }

    private func mayWait(for key: QueueKey) -> Bool {
        guard waitingInTotal < limits.requestsWaiting else { return false }
        guard let bulkhead = key.bulkhead else { return true }
        return waitingOfBulkhead[bulkhead, default: 0] < limits.requestsWaitingPerBulkhead
    }

    private mutating func count(_ change: Int, admittedFor key: QueueKey) {
        admittedInTotal += change
        Self.count(change, of: key.origin, in: &admittedTo)
        if let bulkhead = key.bulkhead { Self.count(change, of: bulkhead, in: &admittedOfBulkhead) }
    }

    private mutating func count(_ change: Int, waitingFor key: QueueKey) {
        waitingInTotal += change
        if let bulkhead = key.bulkhead { Self.count(change, of: bulkhead, in: &waitingOfBulkhead) }
    }

    /// Keeps no zero, so that keys which come and go take no memory.
    private static func count<Key>(_ change: Int, of key: Key, in counts: inout [Key: Int]) {
        let count = counts[key, default: 0] + change
        counts[key] = count == 0 ? nil : count
    }
}

/// Where a request goes and whose it is: all with one key wait for the same places.
struct QueueKey: Hashable {
    let origin: Origin
    let bulkhead: String?
}
