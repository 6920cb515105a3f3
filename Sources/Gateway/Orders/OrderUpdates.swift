import Domain
import Synchronization

/// Tells requests that wait for their orders of each step.
final class OrderUpdates: Sendable {
    /// What wakes a subscriber.
    enum Event: Sendable {
        /// The order after a step, and the final answer if that step made it.
        case step(Order, answer: [UInt8]?)
        /// The time until which the subscriber wanted to wait has come.
        case timeout
    }

    private struct State {
        var next: UInt64 = 0
        var subscribers: [OrderID: [UInt64: AsyncStream<Event>.Continuation]] = [:]
    }

    private let state = Mutex(State())

    /// Tells everyone who waits for the order of a step.
    func publish(_ step: OrderStep) {
        let subscribers = state.withLock { $0.subscribers[step.order.id] ?? [:] }
        for continuation in subscribers.values { continuation.yield(.step(step.order, answer: step.answer)) }
    }

    /// Lends `body` a subscription to the steps of an order from now on.
    func withSubscription<Value: Sendable>(
        to order: OrderID,
        clock: any GatewayClock,
        _ body: (inout Subscription) async throws -> Value
    ) async rethrows -> Value {
        let (stream, continuation) = AsyncStream<Event>.makeStream()
        let number = state.withLock { state in
            state.next += 1
            state.subscribers[order, default: [:]][state.next] = continuation
            return state.next
        }
        defer {
            state.withLock { state in
                state.subscribers[order]?[number] = nil
                if state.subscribers[order]?.isEmpty == true { state.subscribers[order] = nil }
            }
        }
        var subscription = Subscription(
            iterator: stream.makeAsyncIterator(),
            continuation: continuation,
            clock: clock
        )
        return try await body(&subscription)
    }

    /// The steps of an order, as they are committed on this instance.
    struct Subscription {
        fileprivate var iterator: AsyncStream<Event>.Iterator
        fileprivate let continuation: AsyncStream<Event>.Continuation
        fileprivate let clock: any GatewayClock

        /// The next step, or the timeout once `time` has come; the timeout at once if the task is canceled.
        mutating func next(until time: Timestamp) async -> Event {
            let (continuation, clock) = (continuation, clock)
            let timer = Task {
                try await clock.sleep(until: time)
                continuation.yield(.timeout)
            }
            defer { timer.cancel() }
            return await iterator.next(isolation: #isolation) ?? .timeout
        }
    }
}
