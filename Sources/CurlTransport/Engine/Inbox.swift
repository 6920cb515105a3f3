import Synchronization

/// What other threads tell the transport's thread.
final class Inbox: Sendable {
    enum Message: Sendable {
        case arrival(Arrival)
        case cancellation(Ticket)
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
    private let tickets = Atomic<UInt>(0)
    private let multi: MultiHandle

    init(waking multi: MultiHandle) { self.multi = multi }

    /// A ticket no other call has; numbers begin at 1.
    func makeTicket() -> Ticket { Ticket(number: tickets.add(1, ordering: .relaxed).newValue) }

    func post(_ arrival: Arrival) {
        guard !put(.arrival(arrival)) else { return }
        arrival.refuse(.stopped, "the transport was stopped")
    }

    func cancel(_ ticket: Ticket) {
        ticket.markCancelled()
        _ = put(.cancellation(ticket))
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
