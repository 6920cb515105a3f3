import Synchronization

/// What other threads tell the transport's thread.
final class Inbox: Sendable {
    enum Message: Sendable {
        case request(PendingRequest)
        case cancellation(Cancellation)
    }

    private enum Phase {
        case open
        case stopping
        case ended
    }

    private struct State {
        var messages: [Message] = []
        var phase = Phase.open
        var stopWaiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())
    private let numbers = Atomic<UInt>(0)
    private let multi: MultiHandle

    init(waking multi: MultiHandle) { self.multi = multi }

    /// The cancellation of one call, with a number that no other call has; numbers begin at 1.
    func makeCancellation() -> Cancellation { Cancellation(number: numbers.add(1, ordering: .relaxed).newValue) }

    func post(_ request: PendingRequest) {
        guard !put(.request(request)) else { return }
        request.refuse(.stopped, "the transport was stopped")
    }

    func cancel(_ cancellation: Cancellation) {
        cancellation.markCancelled()
        _ = put(.cancellation(cancellation))
    }

    /// Asks the thread to end, and to answer when it has.
    func stop(answering waiter: CheckedContinuation<Void, Never>?) {
        let hasEnded = state.withLock { state in
            guard state.phase != .ended else { return true }
            state.phase = .stopping
            if let waiter { state.stopWaiters.append(waiter) }
            multi.wakeUp()
            return false
        }
        if hasEnded { waiter?.resume() }
    }

    /// On the transport's thread: what has come since, in order, and whether to end.
    func drain() -> (messages: [Message], isStopping: Bool) {
        state.withLock { state in
            defer { state.messages = [] }
            return (state.messages, state.phase != .open)
        }
    }

    /// On the transport's thread: takes nothing more, after which nobody touches the multi handle from outside.
    func end() -> [Message] {
        state.withLock { state in
            state.phase = .ended
            defer { state.messages = [] }
            return state.messages
        }
    }

    /// On the transport's thread, as the last thing it does.
    func answerStopWaiters() {
        let waiters = state.withLock { state in
            defer { state.stopWaiters = [] }
            return state.stopWaiters
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Whether the message was taken; it is not once the thread is ending.
    ///
    /// The wake-up is inside the lock because ``end()`` takes the same lock before the multi handle is freed. Only the
    /// first message after a `drain` wakes: the thread drains after every poll.
    private func put(_ message: Message) -> Bool {
        state.withLock { state in
            guard state.phase == .open else { return false }
            if state.messages.isEmpty { multi.wakeUp() }
            state.messages.append(message)
            return true
        }
    }
}

/// A request on its way to the transport's thread, with whom to answer and until when.
struct PendingRequest: Sendable {
    let request: HTTPRequest
    let cancellation: Cancellation
    /// Counted from the call of `send`, so that waiting for a place is part of it.
    let deadline: ContinuousClock.Instant
    private let continuation: CheckedContinuation<HTTPResult, Never>

    init(
        _ request: HTTPRequest,
        cancellation: Cancellation,
        answeredTo continuation: CheckedContinuation<HTTPResult, Never>
    ) {
        self.request = request
        self.cancellation = cancellation
        deadline = .now + .milliseconds(TimeLimits.clamped(request.totalTimeoutMilliseconds))
        self.continuation = continuation
    }

    func answer(_ result: HTTPResult) { continuation.resume(returning: result) }

    /// Answers a request of which libcurl never heard, so that nothing of it can have been sent.
    func refuse(_ reason: TransportFailure.Reason, _ message: String) {
        var failure = TransportFailure(reason, message, mayHaveArrived: false)
        failure.onlyWaited = true
        answer(.failure(failure))
    }
}

/// The number of one call of `send`, and whether that call was cancelled.
///
/// The cancellation may come before the request itself, when a cancelled task sends: then only the flag tells.
final class Cancellation: Sendable {
    let number: UInt
    private let cancelled = Atomic(false)

    init(number: UInt) { self.number = number }

    var isCancelled: Bool { cancelled.load(ordering: .acquiring) }

    func markCancelled() { cancelled.store(true, ordering: .releasing) }
}
