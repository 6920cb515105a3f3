import Domain
import Synchronization

/// Where requests that move money come in: so many are inside at once, the others wait in order or are refused at once.
///
/// Inside, a request looks up its key, is checked, and is written down; waiting for PSPs is outside, and so is waiting for
/// the caller to send its body.
package final class Door: Sendable {
    private struct Waiter {
        let number: UInt64
        let since: Int64
        let isReturning: Bool
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var admission: Admission
        /// Those that were inside before, ahead of the others; each in order.
        var line: [Waiter] = []
        var returning: [Waiter] = []
        var next: UInt64 = 0
        var canceled: Set<UInt64> = []
    }

    private let state: Mutex<State>
    private let clock: any GatewayClock

    init(_ limits: AdmissionLimits, clock: any GatewayClock) {
        state = Mutex(State(admission: Admission(limits)))
        self.clock = clock
    }

    /// Lets a request in, at once or when it is its turn.
    ///
    /// - Throws: ``Overload`` if that would take too long, or `CancellationError`.
    package func enter() async throws -> Visit {
        try await pass(isReturning: false)
        return Visit(self)
    }

    fileprivate var now: Int64 { clock.now().microseconds }

    /// How many are inside, and how many wait.
    var crowd: (inside: Int, waiting: Int, orders: Int) {
        state.withLock { ($0.admission.inside, $0.admission.waiting, $0.admission.orders) }
    }

    /// Counts an order until its request is answered.
    func answering<Value>(_ body: () async throws -> Value) async rethrows -> Value {
        state.withLock { $0.admission.count(orders: 1) }
        defer { state.withLock { $0.admission.count(orders: -1) } }
        return try await body()
    }

    fileprivate func pass(isReturning: Bool) async throws {
        let number = state.withLock { state in
            state.next += 1
            return state.next
        }
        defer { forget(number) }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let waiter = Waiter(number: number, since: now, isReturning: isReturning, continuation: continuation)
                arrive(waiter)
            }
        } onCancel: {
            cancel(number)
        }
    }

    private func arrive(_ waiter: Waiter) {
        let result: Result<Void, any Error>? = state.withLock { state in
            if state.canceled.remove(waiter.number) != nil { return .failure(CancellationError()) }
            switch waiter.isReturning ? state.admission.arriveAgain() : state.admission.arrive() {
            case .enter: return .success(())
            case .refuse(let milliseconds): return .failure(Overload(retryMilliseconds: milliseconds))
            case .wait:
                if waiter.isReturning { state.returning.append(waiter) } else { state.line.append(waiter) }
                return nil
            }
        }
        if let result { waiter.continuation.resume(with: result) }
    }

    fileprivate func leave(after time: Int64) {
        let moment = now
        let gone: [(Waiter, Bool)] = state.withLock { state in
            state.admission.leave(after: time)
            var gone: [(Waiter, Bool)] = []
            while let waiter = state.returning.first ?? state.line.first {
                let isTooLate = !waiter.isReturning && state.admission.isTooLate(after: moment - waiter.since)
                if isTooLate { state.admission.giveUp() } else if !state.admission.letIn() { break }
                if state.returning.isEmpty { state.line.removeFirst() } else { state.returning.removeFirst() }
                gone.append((waiter, !isTooLate))
            }
            return gone
        }
        for (waiter, isIn) in gone {
            if isIn {
                waiter.continuation.resume()
            } else {
                waiter.continuation.resume(throwing: Overload(retryMilliseconds: 1000))
            }
        }
    }

    private func cancel(_ number: UInt64) {
        let waiter: Waiter? = state.withLock { state in
            for line in [\State.returning, \State.line] {
                if let index = state[keyPath: line].firstIndex(where: { $0.number == number }) {
                    state.admission.giveUp()
                    return state[keyPath: line].remove(at: index)
                }
            }
            state.canceled.insert(number)
            return nil
        }
        waiter?.continuation.resume(throwing: CancellationError())
    }

    /// A cancellation may come when the wait is over.
    private func forget(_ number: UInt64) { _ = state.withLock { $0.canceled.remove(number) } }
}

/// A request's stay inside a ``Door``.
package final class Visit: Sendable {
    private let door: Door
    /// Since when it is inside; nil while it is not.
    private let since: Mutex<Int64?>

    fileprivate init(_ door: Door) {
        self.door = door
        since = Mutex(door.now)
    }

    deinit { leave() }

    /// Leaves, if it is inside.
    package func leave() {
        let entered = since.withLock { since in
            defer { since = nil }
            return since
        }
        if let entered { door.leave(after: door.now - entered) }
    }

    /// Goes in again, ahead of those that were not inside before.
    ///
    /// - Throws: `CancellationError`.
    package func reenter() async throws {
        try await door.pass(isReturning: true)
        since.withLock { $0 = door.now }
    }
}
