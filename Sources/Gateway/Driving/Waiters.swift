import Domain
import Synchronization

/// Checkouts that wait for their orders.
final class Waiters: Sendable {
    /// What wakes a waiter.
    enum Signal: Sendable {
        /// The order after a step, and the final answer if that step made it.
        case news(Order, answer: [UInt8]?)
        /// The time the waiter asked for has come.
        case alarm
    }

    private struct State {
        var next: UInt64 = 0
        var lines: [OrderID: [UInt64: AsyncStream<Signal>.Continuation]] = [:]
    }

    private let state = Mutex(State())

    /// Tells everyone who waits for the order.
    func tell(_ order: Order, answer: [UInt8]?) {
        let line = state.withLock { $0.lines[order.id] ?? [:] }
        for continuation in line.values { continuation.yield(.news(order, answer: answer)) }
    }

    /// Lends `body` a line on which news of the order arrive from now on.
    func withLine<Value: Sendable>(
        on order: OrderID,
        clock: any GatewayClock,
        _ body: (inout Line) async throws -> Value
    ) async rethrows -> Value {
        let (stream, continuation) = AsyncStream<Signal>.makeStream()
        let number = state.withLock { state in
            state.next += 1
            state.lines[order, default: [:]][state.next] = continuation
            return state.next
        }
        defer {
            state.withLock { state in
                state.lines[order]?[number] = nil
                if state.lines[order]?.isEmpty == true { state.lines[order] = nil }
            }
        }
        var line = Line(iterator: stream.makeAsyncIterator(), continuation: continuation, clock: clock)
        return try await body(&line)
    }

    /// Where one waiter listens.
    struct Line {
        fileprivate var iterator: AsyncStream<Signal>.Iterator
        fileprivate let continuation: AsyncStream<Signal>.Continuation
        fileprivate let clock: any GatewayClock

        /// The next news, or the alarm once `time` has come; the alarm at once if the task is canceled.
        mutating func next(until time: Timestamp) async -> Signal {
            let (continuation, clock) = (continuation, clock)
            let timer = Task {
                try await clock.sleep(until: time)
                continuation.yield(.alarm)
            }
            defer { timer.cancel() }
            return await iterator.next(isolation: #isolation) ?? .alarm
        }
    }
}
