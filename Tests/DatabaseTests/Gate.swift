import Dispatch
import Synchronization

/// Holds a transaction's body, on the thread it blocks, until the test lets it go on.
final class Gate: Sendable {
    /// A test that fails before it opens the gate would otherwise never end.
    private static let longestSeconds = 30.0

    private let arrived: AsyncStream<Void>
    private let arrival: AsyncStream<Void>.Continuation
    private let departure = DispatchSemaphore(value: 0)
    private let arrivals = Mutex(0)

    init() {
        (arrived, arrival) = AsyncStream.makeStream()
    }

    /// How many bodies have come here.
    var count: Int { arrivals.withLock { $0 } }

    /// Said by a body: counts it, tells the test that it is here, and blocks.
    func pass() {
        arrivals.withLock { $0 += 1 }
        arrival.yield()
        _ = departure.wait(timeout: .now() + Gate.longestSeconds)
    }

    /// Waits until a body is here.
    func someoneArrives() async {
        for await _ in arrived { return }
    }

    /// Lets so many bodies go on, those that have yet to come included.
    func open(for count: Int = 1) {
        for _ in 0..<count { departure.signal() }
    }
}
