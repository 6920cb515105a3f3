/// Decides which requests are let in at once, which wait, and which are refused, by how fast others were let in of late.
///
/// What this instance has in hand is bounded: requests that are inside, and operations that are about to be sent or whose
/// outcome is being written down. What is in hand goes first; who is new comes in only where there is room left. So whoever
/// waits waits as long as it takes to let in all ahead of it. Times are microseconds.
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

    /// How late this instance may be before it takes less in hand.
    private static let greatestLateness: Int64 = 10_000
    /// So much is taken in hand however late it is.
    private static let leastRoom = 4

    private let limits: AdmissionLimits
    /// How many are inside, how many wait, how many of these were inside before, and how many orders are placed and not
    /// answered yet.
    private(set) var (inside, waiting, returning, orders) = (0, 0, 0, 0)
    /// How many operations are about to be sent, or have an outcome that is being written down.
    var operations = 0
    /// How much may be in hand at once, by how late this instance is: at most what the limits say.
    private(set) var room: Int
    private var pace = AdmissionPace()

    init(_ limits: AdmissionLimits) {
        self.limits = limits
        room = limits.atOnce
    }

    /// Decides about a request that has just come.
    mutating func arrive(at now: Int64) -> Verdict {
        guard orders < limits.orders else { return .refuse(milliseconds: 1000) }
        if hasRoom, waiting == 0 {
            inside += 1
            return .enter
        }
        let newcomers = waiting - returning
        let expected = Int64(newcomers + 1) * pace.interval(at: now)
        guard newcomers < limits.waiting, expected <= limits.waitMilliseconds * 1000 else {
            return .refuse(milliseconds: max(1, expected / 1000))
        }
        if newcomers == 0 { pace.begin(at: now) }
        waiting += 1
        return .wait
    }

    /// Decides about a request that was inside before: it waits at most.
    mutating func arriveAgain() -> Verdict {
        guard inside >= limits.atOnce else {
            inside += 1
            return .enter
        }
        (waiting, returning) = (waiting + 1, returning + 1)
        return .wait
    }

    /// One that was inside before goes in, if there is room; what else is in hand does not keep it out.
    mutating func letInAgain() -> Bool {
        guard returning > 0, inside < limits.atOnce else { return false }
        (waiting, returning, inside) = (waiting - 1, returning - 1, inside + 1)
        return true
    }

    /// One that is new and waited goes in, if there is room.
    mutating func letIn(at now: Int64) -> Bool {
        guard waiting > returning, hasRoom else { return false }
        (waiting, inside) = (waiting - 1, inside + 1)
        pace.count(at: now)
        if waiting == returning { pace.end() }
        return true
    }

    /// One that waited goes away.
    mutating func giveUp(isReturning: Bool) {
        waiting -= 1
        if isReturning { returning -= 1 }
        if waiting == returning { pace.end() }
    }

    /// One that was inside leaves.
    mutating func leave() { inside -= 1 }

    /// Whether somebody who has waited for so long waits no longer: the estimate was wrong.
    func isTooLate(after time: Int64) -> Bool { time > 5 * limits.waitMilliseconds * 1000 }

    /// What was due was done so late: who is late takes less in hand, and who is not slowly more again.
    ///
    /// Additive increase and multiplicative decrease, as of a congestion window (RFC 5681 section 3.1).
    mutating func adjust(lateness: Int64) {
        let least = min(Self.leastRoom, limits.atOnce)
        room = lateness > Self.greatestLateness ? max(least, room * 3 / 4) : min(limits.atOnce, room + 1)
    }

    /// An order was placed, or answered.
    mutating func count(orders change: Int) { orders += change }

    private var hasRoom: Bool { inside + returning + operations < room }
}

/// How fast those that wait are let in: the time between two of them, over the newest of them.
///
/// Times are microseconds.
private struct AdmissionPace: Hashable {
    /// Over so many it is measured, and not before there are so many.
    private static let (most, least) = (64, 8)
    /// What holds until it was measured.
    private static let firstGuess: Int64 = 10_000

    /// When the newest were let in, or the wait began; empty while nobody waits.
    private var moments: [Int64] = []
    private var known = Self.firstGuess

    /// Somebody waits, and nobody did.
    mutating func begin(at now: Int64) { moments = [now] }

    /// Nobody waits any more.
    mutating func end() {
        if moments.count > Self.least { known = (moments[moments.count - 1] - moments[0]) / Int64(moments.count - 1) }
        moments = []
    }

    /// Somebody who waited was let in.
    mutating func count(at now: Int64) {
        if moments.count > Self.most { moments.removeFirst() }
        moments.append(now)
    }

    /// The time between two; while nobody is let in, it grows.
    func interval(at now: Int64) -> Int64 {
        guard moments.count > Self.least else { return known }
        let count = Int64(moments.count - 1)
        return max((moments[moments.count - 1] - moments[0]) / count, (now - moments[0]) / (count + 1))
    }
}

/// How many requests that move money are taken in hand.
package struct AdmissionLimits: Hashable, Sendable {
    /// How much is in hand at once: requests that are looked up, checked and written down, and operations that are about to
    /// be sent or have an outcome to write down.
    package var atOnce: Int
    /// How many may wait for that.
    package var waiting: Int
    /// How long one may have to wait for that, in milliseconds, as far as can be told when it comes.
    package var waitMilliseconds: Int64
    /// How many orders may be placed and not answered yet.
    package var orders: Int
    /// How many connections from outside are served at once.
    package var connections: Int

    /// How many requests may wait for changes of orders, beside those: a quarter of the orders, and of the connections, so
    /// that some are left for checkouts.
    package var watchers: Int { max(1, min(orders, connections) / 4) }

    /// Limits; a request that nobody may wait for is refused at once if it cannot be taken in hand at once.
    package init(
        atOnce: Int = 64,
        waiting: Int = 1024,
        waitMilliseconds: Int64 = 1000,
        orders: Int = 4096,
        connections: Int = .max
    ) {
        self.atOnce = max(1, atOnce)
        self.waiting = max(0, waiting)
        self.waitMilliseconds = max(0, waitMilliseconds)
        self.orders = max(1, orders)
        self.connections = max(1, connections)
    }
}

/// There is more to do than can be done in time; nothing of the request was kept.
package struct Overload: Error, Hashable, Sendable {
    /// When there may be room, in milliseconds.
    package let retryMilliseconds: Int64

    /// The same in whole seconds, at least one and at most thirty.
    package var retrySeconds: Int { Int(min(30, max(1, (retryMilliseconds + 999) / 1000))) }
}
