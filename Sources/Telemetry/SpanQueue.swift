import Synchronization

/// Spans that have ended and wait to be sent: a bounded number, so that a collector that is away costs no more memory.
///
/// Adding never waits. What comes while it is full is dropped and counted.
final class SpanQueue: Sendable {
    private struct State {
        var waiting: [SpanRecord] = []
        var counts = SpanCounts()
        var closedAt: ContinuousClock.Instant?
    }

    /// Signals that there is a whole batch, that it is time to look, or that no more will come.
    let wakeUps: AsyncStream<Void>

    private let state = Mutex(State())
    private let limit: Int
    private let batch: Int
    private let continuation: AsyncStream<Void>.Continuation

    /// An empty queue.
    ///
    /// - Parameters:
    ///   - limit: how many may wait.
    ///   - batch: how many are sent at once.
    init(limit: Int, batch: Int) {
        (self.limit, self.batch) = (limit, batch)
        (wakeUps, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// What became of spans so far.
    var counts: SpanCounts {
        state.withLock { state in
            var counts = state.counts
            counts.waiting = Int64(state.waiting.count)
            return counts
        }
    }

    /// When it was said that no more will come.
    var closedAt: ContinuousClock.Instant? { state.withLock { $0.closedAt } }

    func add(_ span: SpanRecord) {
        let isBatch = state.withLock { state in
            guard state.waiting.count < limit, state.closedAt == nil else {
                state.counts.dropped += 1
                return false
            }
            state.waiting.append(span)
            return state.waiting.count.isMultiple(of: batch)
        }
        if isBatch { signal() }
    }

    /// Takes the oldest spans out, a batch at most.
    func take() -> [SpanRecord] {
        state.withLock { state in
            let taken = Array(state.waiting.prefix(batch))
            state.waiting.removeFirst(taken.count)
            return taken
        }
    }

    /// Puts spans that could not be sent back before all others; those that have no room any more are dropped.
    func putBack(_ spans: [SpanRecord]) {
        state.withLock { state in
            let kept = spans.prefix(max(0, limit - state.waiting.count))
            state.counts.dropped += Int64(spans.count - kept.count)
            state.waiting.insert(contentsOf: kept, at: 0)
        }
    }

    /// Drops what still waits, because nobody will send it.
    func dropRest() {
        state.withLock { state in
            state.counts.dropped += Int64(state.waiting.count)
            state.waiting = []
        }
    }

    func count(sent: Int64 = 0, rejected: Int64 = 0, failedRequest: Bool = false) {
        state.withLock { state in
            state.counts.sent += sent
            state.counts.rejected += rejected
            if failedRequest { state.counts.failedRequests += 1 }
        }
    }

    func signal() { continuation.yield() }

    /// Says that no more will come.
    func close() {
        state.withLock { $0.closedAt = $0.closedAt ?? .now }
        signal()
    }
}

/// What became of spans.
package struct SpanCounts: Hashable, Sendable {
    /// Those that the collector has taken.
    package var sent: Int64
    /// Those that the collector refused, or that came with a request that it refused.
    package var rejected: Int64
    /// Those that had no room while they waited, or were not sent before the process ended.
    package var dropped: Int64
    /// Those that wait.
    package var waiting: Int64
    /// Requests that the collector did not take.
    package var failedRequests: Int64

    /// Counts of which all that are not named are zero.
    package init(
        sent: Int64 = 0,
        rejected: Int64 = 0,
        dropped: Int64 = 0,
        waiting: Int64 = 0,
        failedRequests: Int64 = 0
    ) {
        self.sent = sent
        self.rejected = rejected
        self.dropped = dropped
        self.waiting = waiting
        self.failedRequests = failedRequests
    }
}
