/// Who may fly and who waits: a pure count of requests per origin and in total.
///
/// libcurl has limits and a queue of its own, but a request in that queue does not time out, so it never gets there.
struct Admission {
    enum Verdict: Hashable {
        case fly
        case wait
        case refuse
    }

    private struct Waiting {
        let number: UInt
        let origin: Origin
    }

    private let limits: TransportLimits
    private var waiting: [Waiting] = []
    private var flying: [Origin: Int] = [:]
    private var flyingInTotal = 0

    init(limits: TransportLimits) { self.limits = limits }

    /// Decides about a new request.
    ///
    /// It flies only if nobody who waits could fly instead.
    mutating func arrive(_ number: UInt, at origin: Origin) -> Verdict {
        if hasPlace(for: origin) {
            takePlace(for: origin)
            return .fly
        }
        guard waiting.count < limits.requestsWaiting else { return .refuse }
        waiting.append(Waiting(number: number, origin: origin))
        return .wait
    }

    /// Gives back the place of a request that flew, and says which waiting one takes it: the first that may.
    mutating func land(from origin: Origin) -> UInt? {
        flyingInTotal -= 1
        let left = flying[origin, default: 1] - 1
        flying[origin] = left == 0 ? nil : left
        guard let index = waiting.firstIndex(where: { hasPlace(for: $0.origin) }) else { return nil }
        let next = waiting.remove(at: index)
        takePlace(for: next.origin)
        return next.number
    }

    /// Forgets a request that waits no longer.
    mutating func withdraw(_ number: UInt) { waiting.removeAll { $0.number == number } }

    private func hasPlace(for origin: Origin) -> Bool {
        flyingInTotal < limits.requestsInTotal && flying[origin, default: 0] < limits.requestsPerHost
    }

    private mutating func takePlace(for origin: Origin) {
        flyingInTotal += 1
        flying[origin, default: 0] += 1
    }
}
