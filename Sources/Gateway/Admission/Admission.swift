/// Decides which requests are let in at once, which wait, and which are refused, by how long others took of late.
///
/// By Little's law, whoever waits behind so many others waits their number times the time that one takes, divided by how
/// many are inside at once. Times are microseconds.
struct Admission: Hashable {
    /// What becomes of a request.
    enum Verdict: Hashable {
        /// It is inside.
        case enter
        /// It waits.
        case wait
        /// It would wait too long; after so many milliseconds there may be room.
        case refuse(milliseconds: Int64)
    }

    /// The newest time counts for one part of so many.
    private static let weight: Int64 = 16

    private let limits: AdmissionLimits
    /// How many are inside, how many wait, and how many orders are placed and not answered yet.
    private(set) var (inside, waiting, orders) = (0, 0, 0)
    /// How long one is inside, as measured.
    private(set) var meanTime: Int64 = 0

    init(_ limits: AdmissionLimits) { self.limits = limits }

    /// Decides about a request that has just come.
    mutating func arrive() -> Verdict {
        guard orders < limits.orders else { return .refuse(milliseconds: 1000) }
        if inside < limits.atOnce, waiting == 0 {
            inside += 1
            return .enter
        }
        let expected = expectedWait
        guard waiting < limits.waiting, expected <= limits.waitMilliseconds * 1000 else {
            return .refuse(milliseconds: max(1, expected / 1000))
        }
        waiting += 1
        return .wait
    }

    /// Decides about a request that was inside before: it waits at most.
    mutating func arriveAgain() -> Verdict {
        guard inside >= limits.atOnce else {
            inside += 1
            return .enter
        }
        waiting += 1
        return .wait
    }

    /// One that waited goes in, if there is room.
    mutating func letIn() -> Bool {
        guard waiting > 0, inside < limits.atOnce else { return false }
        (waiting, inside) = (waiting - 1, inside + 1)
        return true
    }

    /// One that waited goes away.
    mutating func giveUp() { waiting -= 1 }

    /// One that was inside for so long leaves.
    mutating func leave(after time: Int64) {
        inside -= 1
        meanTime += (max(0, time) - meanTime) / Self.weight
    }

    /// Whether somebody who has waited for so long waits no longer: the estimate was wrong.
    func isTooLate(after time: Int64) -> Bool { time > 2 * limits.waitMilliseconds * 1000 }

    /// An order was placed, or answered.
    mutating func count(orders change: Int) { orders += change }

    /// How long the next one would wait.
    private var expectedWait: Int64 { Int64(waiting + 1) * meanTime / Int64(max(1, limits.atOnce)) }
}

/// How many requests that move money are taken in hand.
package struct AdmissionLimits: Hashable, Sendable {
    /// How many are looked up, checked and written down at once.
    package var atOnce: Int
    /// How many may wait for that.
    package var waiting: Int
    /// How long one may have to wait for that, in milliseconds, as far as can be told when it comes.
    package var waitMilliseconds: Int64
    /// How many orders may be placed and not answered yet.
    package var orders: Int

    /// Limits; a request that nobody may wait for is refused at once if it cannot be taken in hand at once.
    package init(atOnce: Int = 64, waiting: Int = 1024, waitMilliseconds: Int64 = 5000, orders: Int = 4096) {
        self.atOnce = max(1, atOnce)
        self.waiting = max(0, waiting)
        self.waitMilliseconds = max(0, waitMilliseconds)
        self.orders = max(1, orders)
    }
}

/// There is more to do than can be done in time; nothing of the request was kept.
package struct Overload: Error, Hashable, Sendable {
    /// When there may be room, in milliseconds.
    package let retryMilliseconds: Int64

    /// The same in whole seconds, at least one and at most thirty.
    package var retrySeconds: Int { Int(min(30, max(1, (retryMilliseconds + 999) / 1000))) }
}
