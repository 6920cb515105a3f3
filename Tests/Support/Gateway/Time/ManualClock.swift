package import Domain
import Gateway
import Synchronization

/// A clock that a test sets forward.
///
package final class ManualClock: GatewayClock {
    /// What it does in between.
    package enum Pace: Sendable {
        /// It shows the same time until it is set forward.
        case stands
        /// It runs with real time: what waits a few milliseconds goes on by itself, and only what waits for long has to be
        /// jumped over.
        case flows
        /// It is at once where anybody sleeps until: what happens does not depend on how fast the machine is. For what
        /// one alone waits for.
        case leaps
    }

    private struct Sleeper {
        let until: Int64
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var microseconds: Int64
        var next: UInt64 = 0
        var sleepers: [UInt64: Sleeper] = [:]
        var canceled: Set<UInt64> = []
        var isStopped = false
    }

    private let state: Mutex<State>
    private let flowingSince: ContinuousClock.Instant?
    private let leaps: Bool

    /// A clock that shows `start`.
    package init(at start: Timestamp = Timestamp(microseconds: 1_800_000_000_000_000), _ pace: Pace = .stands) {
        state = Mutex(State(microseconds: start.microseconds))
        flowingSince = pace == .flows ? .now : nil
        leaps = pace == .leaps
    }

    package func now() -> Timestamp { Timestamp(microseconds: state.withLock { shown($0) }) }

    /// How many sleep at the moment.
    package var sleepers: Int { state.withLock { $0.sleepers.count } }

    /// Sets the clock forward and wakes whose time has come.
    package func advance(milliseconds: Int64) {
        state.withLock { $0.microseconds += milliseconds * 1000 }
        wake()
    }

    /// Sets the clock forward to `time`, if it is not there yet.
    package func advance(to time: Timestamp) {
        state.withLock { state in state.microseconds += max(0, time.microseconds - shown(state)) }
        wake()
    }

    /// Ends every sleep, now and later, with `CancellationError`.
    package func stop() {
        let all = state.withLock { state in
            state.isStopped = true
            defer { state.sleepers = [:] }
            return Array(state.sleepers.values)
        }
        for sleeper in all { sleeper.continuation.resume(throwing: CancellationError()) }
    }

    package func sleep(until time: Timestamp) async throws {
        try Task.checkCancellation()
        if leaps { advance(to: time) }
        let number = state.withLock { state in
            state.next += 1
            return state.next
        }
        let alarm = flowingSince.map { _ in wakingTask(at: time) }
        defer { alarm?.cancel() }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                lieDown(number, Sleeper(until: time.microseconds, continuation: continuation))
            }
        } onCancel: {
            cancel(number)
        }
    }

    private func shown(_ state: State) -> Int64 {
        guard let flowingSince else { return state.microseconds }
        let passed = (ContinuousClock.now - flowingSince).components
        return state.microseconds + passed.seconds * 1_000_000 + passed.attoseconds / 1_000_000_000_000
    }

    /// Looks again once real time has brought a flowing clock to `time`.
    private func wakingTask(at time: Timestamp) -> Task<Void, Never> {
        Task { [weak self] in
            while let left = self.map({ time.microseconds - $0.now().microseconds }), left > 0 {
                guard (try? await Task.sleep(for: .microseconds(left))) != nil else { return }
            }
            self?.wake()
        }
    }

    private func lieDown(_ number: UInt64, _ sleeper: Sleeper) {
        enum Fate {
            case sleeps
            case wakes
            case canceled
        }
        let fate: Fate = state.withLock { state in
            if state.isStopped || state.canceled.remove(number) != nil { return .canceled }
            if sleeper.until <= shown(state) { return .wakes }
            state.sleepers[number] = sleeper
            return .sleeps
        }
        switch fate {
        case .sleeps: return
        case .wakes: sleeper.continuation.resume()
        case .canceled: sleeper.continuation.resume(throwing: CancellationError())
        }
    }

    private func cancel(_ number: UInt64) {
        let sleeper = state.withLock { state in
            let sleeper = state.sleepers.removeValue(forKey: number)
            if sleeper == nil { state.canceled.insert(number) }
            return sleeper
        }
        sleeper?.continuation.resume(throwing: CancellationError())
    }

    private func wake() {
        let due = state.withLock { state in
            let now = shown(state)
            let due = state.sleepers.filter { $0.value.until <= now }
            for number in due.keys { state.sleepers[number] = nil }
            return Array(due.values)
        }
        for sleeper in due { sleeper.continuation.resume() }
    }
}
