import Domain
import Synchronization

/// Where requests that move money come in: so many are inside at once, the others wait in order or are refused at once.
///
/// How many depends on how late this instance is with what is due: threads that want the processors all at once, its own
/// and the database's, make everybody wait, and whoever is to be refused too.
///
/// Inside, a request looks up its key, is checked, and is written down; waiting for PSPs is outside, and so is waiting for
/// the caller to send its body. Operations between the two count as well: see ``CallLines``.
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
        /// How many only wait for changes of orders.
        var watchers = 0
    }

    /// How often it is measured how late this instance is, in milliseconds.
    private static let watchMilliseconds: Int64 = 25

    private let state: Mutex<State>
    private let clock: any GatewayClock
    private let watcherLimit: Int

    init(_ limits: AdmissionLimits, clock: any GatewayClock) {
        state = Mutex(State(admission: Admission(limits)))
        watcherLimit = limits.watchers
        self.clock = clock
    }

    /// Lets a request in, at once or when it is its turn.
    ///
    /// - Throws: ``Overload`` if that would take too long, or `CancellationError`.
    package func enter() async throws -> Visit {
        try await pass(isReturning: false)
        return Visit(self)
    }

    private var now: Int64 { clock.now().microseconds }

    /// How many are inside, how many wait, and how many operations are in hand.
    var crowd: (inside: Int, waiting: Int, orders: Int, operations: Int) {
        state.withLock {
            ($0.admission.inside, $0.admission.waiting, $0.admission.orders, $0.admission.operations)
        }
    }

    /// Counts an order until its request is answered.
    func answering<Value>(_ body: () async throws -> Value) async rethrows -> Value {
        state.withLock { $0.admission.count(orders: 1) }
        defer { state.withLock { $0.admission.count(orders: -1) } }
        return try await body()
    }

    /// Counts a request that only waits for a change of an order, which takes no checkout's place.
    ///
    /// - Throws: ``Overload`` if as many wait already as may, or what `body` throws.
    func watching<Value>(_ body: () async throws -> Value) async throws -> Value {
        let isIn = state.withLock { state in
            guard state.watchers < watcherLimit else { return false }
            state.watchers += 1
            return true
        }
        guard isIn else { throw Overload(retryMilliseconds: 1000) }
        defer { state.withLock { $0.watchers -= 1 } }
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
            let isReturning = waiter.isReturning
            switch isReturning ? state.admission.arriveAgain() : state.admission.arrive(at: waiter.since) {
            case .enter: return .success(())
            case .refuse(let milliseconds): return .failure(Overload(retryMilliseconds: milliseconds))
            case .wait:
                if waiter.isReturning { state.returning.append(waiter) } else { state.line.append(waiter) }
                return nil
            }
        }
        if let result { waiter.continuation.resume(with: result) }
    }

    fileprivate func leave() { change { $0.leave() } }

    /// So many operations more, or fewer, are about to be sent or have an outcome that is being written down.
    func count(operations change: Int) {
        if change != 0 { self.change { $0.operations += change } }
    }

    /// Measures how late this instance is, again and again until the task is canceled.
    func watch() async {
        while !Task.isCancelled {
            let due = clock.now().adding(milliseconds: Self.watchMilliseconds)
            guard (try? await clock.sleep(until: due)) != nil else { return }
            let lateness = clock.now().microseconds - due.microseconds
            change { $0.adjust(lateness: lateness) }
        }
    }

    /// Makes room, and lets in who has waited for it.
    private func change(_ body: (inout Admission) -> Void) {
        let moment = now
        let gone: [(Waiter, Bool)] = state.withLock { state in
            body(&state.admission)
            var gone: [(Waiter, Bool)] = []
            while !state.returning.isEmpty, state.admission.letInAgain() {
                gone.append((state.returning.removeFirst(), true))
            }
            while let waiter = state.line.first {
                let isTooLate = state.admission.isTooLate(after: moment - waiter.since)
                if isTooLate {
                    state.admission.giveUp(isReturning: false)
                } else if !state.admission.letIn(at: moment) {
                    break
                }
                gone.append((state.line.removeFirst(), !isTooLate))
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
                    state.admission.giveUp(isReturning: line == \State.returning)
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

/// What a scrape is told of a door.
struct DoorFigures: MetricSource {
    private static let requests = Metric(
        .gauge,
        "tributary_door_requests",
        labels: ["state"],
        "Requests that move money: inside, in line to come in, and orders that are placed and not answered yet."
    )

    let door: Door

    var metrics: [Metric] { [Self.requests] }

    func write(to text: inout MetricText) {
        let crowd = door.crowd
        let numbers = [("inside", crowd.inside), ("waiting", crowd.waiting), ("answering", crowd.orders)]
        text.write(Self.requests, numbers.map { MetricSample([$0.0], Int64($0.1)) })
    }
}

/// A request's stay inside a ``Door``.
package final class Visit: Sendable {
    private let door: Door
    private struct State {
        var isInside = true
        var hasReturned = false
        var endedAt: ContinuousClock.Instant?
    }

    private let state = Mutex(State())

    fileprivate init(_ door: Door) { self.door = door }

    deinit { leave() }

    /// When the request left that had gone in again: what it is about is written down then, or refused; nil before.
    package var endedAt: ContinuousClock.Instant? { state.withLock { $0.endedAt } }

    /// Leaves, if it is inside.
    package func leave() {
        let wasInside = state.withLock { state in
            defer { state.isInside = false }
            if state.isInside, state.hasReturned { state.endedAt = .now }
            return state.isInside
        }
        if wasInside { door.leave() }
    }

    /// Goes in again, ahead of those that were not inside before.
    ///
    /// - Throws: `CancellationError`.
    package func reenter() async throws {
        try await door.pass(isReturning: true)
        state.withLock { $0 = State(isInside: true, hasReturned: true) }
    }
}
