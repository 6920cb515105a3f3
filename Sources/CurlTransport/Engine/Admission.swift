/// Who may fly and who waits: a pure count of requests per origin, per bulkhead and in total.
///
/// Nobody waits for a place that is free: of those whose origin and bulkhead have one, the oldest takes it, however
/// many wait before it for others. libcurl has limits and a queue of its own, but a request in that queue does not
/// time out, so it never gets there.
struct Admission {
    enum Verdict: Hashable {
        case fly
        case wait
        case refuse
    }

    private let limits: TransportLimits
    /// The oldest first; no lane is empty.
    private var waiting: [Lane: [UInt]] = [:]
    private var waitingInTotal = 0
    private var waitingOfBulkhead: [String: Int] = [:]
    private var flyingTo: [Origin: Int] = [:]
    private var flyingOfBulkhead: [String: Int] = [:]
    private var flyingInTotal = 0

    init(limits: TransportLimits) { self.limits = limits }

    /// Decides about a new request; of two numbers the lower is that of the older request.
    ///
    /// A place that is free for it is free because nobody who waits may take it.
    mutating func arrive(_ number: UInt, in lane: Lane) -> Verdict {
        if hasPlace(in: lane) {
            count(1, flyingIn: lane)
            return .fly
        }
        guard mayWait(in: lane) else { return .refuse }
        waiting[lane, default: []].append(number)
        count(1, waitingIn: lane)
        return .wait
    }

    /// Gives back the place of a request that flew, and says which waiting ones fly now.
    ///
    /// They can be two, one that waited for the origin and one that waited for the bulkhead.
    mutating func land(from lane: Lane) -> [UInt] {
        count(-1, flyingIn: lane)
        var next: [UInt] = []
        while let lane = laneOfNext(), let number = waiting[lane]?.first {
            withdraw(number, from: lane)
            count(1, flyingIn: lane)
            next.append(number)
        }
        return next
    }

    /// Forgets a request that waits no longer.
    mutating func withdraw(_ number: UInt, from lane: Lane) {
        guard var line = waiting[lane], let index = line.firstIndex(of: number) else { return }
        line.remove(at: index)
        waiting[lane] = line.isEmpty ? nil : line
        count(-1, waitingIn: lane)
    }

    /// Of the lanes that have a place, the one in which the oldest waits.
    private func laneOfNext() -> Lane? {
        waiting.lazy.filter { hasPlace(in: $0.key) }.min { $0.value[0] < $1.value[0] }?.key
    }

    private func hasPlace(in lane: Lane) -> Bool {
        let ofBulkhead = lane.bulkhead.flatMap { flyingOfBulkhead[$0] } ?? 0
        return flyingInTotal < limits.requestsInTotal && flyingTo[lane.origin, default: 0] < limits.requestsPerHost
            && ofBulkhead < limits.requestsPerBulkhead
    }

    private func mayWait(in lane: Lane) -> Bool {
        guard waitingInTotal < limits.requestsWaiting else { return false }
        guard let bulkhead = lane.bulkhead else { return true }
        return waitingOfBulkhead[bulkhead, default: 0] < limits.requestsWaitingPerBulkhead
    }

    private mutating func count(_ change: Int, flyingIn lane: Lane) {
        flyingInTotal += change
        Self.count(change, of: lane.origin, in: &flyingTo)
        if let bulkhead = lane.bulkhead { Self.count(change, of: bulkhead, in: &flyingOfBulkhead) }
    }

    private mutating func count(_ change: Int, waitingIn lane: Lane) {
        waitingInTotal += change
        if let bulkhead = lane.bulkhead { Self.count(change, of: bulkhead, in: &waitingOfBulkhead) }
    }

    /// Keeps no zero, so that keys which come and go take no memory.
    private static func count<Key>(_ change: Int, of key: Key, in counts: inout [Key: Int]) {
        let count = counts[key, default: 0] + change
        counts[key] = count == 0 ? nil : count
    }
}
