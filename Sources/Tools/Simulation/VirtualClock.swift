import Domain
import Gateway
import Synchronization

/// Time that passes only when nothing is left to do: to the next moment at which something happens.
final class VirtualClock: Sendable {
    /// Something that happens at its moment, in the order in which it was asked for.
    private struct Alarm {
        let at: Int64
        let number: UInt64
        let action: @Sendable () -> Void
        /// Who waits for it, if somebody does.
        var sleeper: Sleeper?
    }

    private struct State {
        var microseconds: Int64
        var isOver = false
        var number: UInt64 = 0
        /// The latest first.
        var alarms: [Alarm] = []
    }

    /// When every simulation begins.
    static let start = Timestamp(microseconds: 1_800_000_000_000_000)

    private let state = Mutex(State(microseconds: VirtualClock.start.microseconds))

    /// The present moment.
    var now: Timestamp { Timestamp(microseconds: state.withLock { $0.microseconds }) }

    /// The present moment in milliseconds since 1970.
    var milliseconds: Int64 { now.microseconds / 1000 }

    /// When something happens next; nil if nothing does.
    var next: Timestamp? { state.withLock { $0.alarms.last }.map { Timestamp(microseconds: $0.at) } }

    /// Has something happen at a moment, or at once if that is over.
    ///
    /// - Returns: its number, to call it off by.
    @discardableResult
    func at(_ time: Timestamp, _ action: @escaping @Sendable () -> Void) -> UInt64 { at(time, for: nil, action) }

    private func at(_ time: Timestamp, for sleeper: Sleeper?, _ action: @escaping @Sendable () -> Void) -> UInt64 {
        state.withLock { state in
            state.number += 1
            let at = max(time.microseconds, state.microseconds)
            var (low, high) = (0, state.alarms.count)
            // Behind all that happen later, before all that happen at the same moment: those were first.
            while low < high {
                let middle = (low + high) / 2
                if state.alarms[middle].at > at { low = middle + 1 } else { high = middle }
            }
            state.alarms.insert(Alarm(at: at, number: state.number, action: action, sleeper: sleeper), at: low)
            return state.number
        }
    }

    /// Has something happen after so many milliseconds.
    @discardableResult
    func after(milliseconds: Int64, _ action: @escaping @Sendable () -> Void) -> UInt64 {
        at(now.adding(milliseconds: milliseconds), action)
    }

    /// Calls something off; false if it has happened.
    @discardableResult
    func cancel(_ number: UInt64) -> Bool {
        state.withLock { state in
            guard let index = state.alarms.firstIndex(where: { $0.number == number }) else { return false }
            state.alarms.remove(at: index)
            return true
        }
    }

    /// Goes on to the next moment at which something happens, and has it happen.
    func advance() {
        let alarm = state.withLock { state in
            let alarm = state.alarms.popLast()
            if let alarm { state.microseconds = max(state.microseconds, alarm.at) }
            return alarm
        }
        alarm?.action()
    }

    /// Goes on to a moment before anything happens.
    func set(to time: Timestamp) {
        state.withLock { $0.microseconds = max($0.microseconds, time.microseconds) }
    }

    /// Begins anew.
    func reset() { state.withLock { $0 = State(microseconds: Self.start.microseconds) } }

    /// Ends time: nothing happens any more, and whoever waits or begins to gets a `CancellationError`.
    func end() {
        let alarms = state.withLock { state in
            state.isOver = true
            defer { state.alarms = [] }
            return state.alarms
        }
        for alarm in alarms { alarm.sleeper?.wake(isCanceled: true) }
    }

    /// Waits until a moment.
    ///
    /// - Throws: `CancellationError`.
    func sleep(until time: Timestamp) async throws {
        try Task.checkCancellation()
        if state.withLock({ $0.isOver }) { throw CancellationError() }
        let sleeper = Sleeper()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                sleeper.lieDown(continuation)
                let number = at(time, for: sleeper) { sleeper.wake(isCanceled: false) }
                sleeper.number.withLock { $0 = number }
            }
        } onCancel: {
            if let number = sleeper.number.withLock({ $0 }) { cancel(number) }
            sleeper.wake(isCanceled: true)
        }
    }

    /// Who waits for a moment.
    private final class Sleeper: Sendable {
        private struct State {
            var continuation: CheckedContinuation<Void, any Error>?
            var isCanceled = false
        }

        let number = Mutex<UInt64?>(nil)
        private let state = Mutex(State())

        func lieDown(_ continuation: CheckedContinuation<Void, any Error>) {
            let isCanceled = state.withLock { state in
                state.continuation = continuation
                return state.isCanceled
            }
            if isCanceled { wake(isCanceled: true) }
        }

        func wake(isCanceled: Bool) {
            let continuation = state.withLock { state in
                state.isCanceled = state.isCanceled || isCanceled
                defer { state.continuation = nil }
                return state.continuation
            }
            if isCanceled {
                continuation?.resume(throwing: CancellationError())
            } else {
                continuation?.resume()
            }
        }
    }
}

/// The time as one instance sees it: a little off, and never going back.
final class InstanceClock: GatewayClock {
    private let clock: VirtualClock
    private let life: SimulatedLife
    private let state = Mutex((offset: Int64(0), last: Int64(0)))

    init(_ clock: VirtualClock, _ life: SimulatedLife) {
        self.clock = clock
        self.life = life
    }

    /// Sets how far it is ahead, in milliseconds.
    func set(ahead milliseconds: Int64) { state.withLock { $0.offset = milliseconds * 1000 } }

    func now() -> Timestamp {
        let real = clock.now.microseconds
        return Timestamp(
            microseconds: state.withLock { state in
                state.last = max(state.last, real + state.offset)
                return state.last
            }
        )
    }

    func sleep(until time: Timestamp) async throws {
        guard await life.pass() else { throw CancellationError() }
        let wait = time.microseconds - now().microseconds
        if wait > 0 { try await clock.sleep(until: Timestamp(microseconds: clock.now.microseconds + wait)) }
        guard await life.pass() else { throw CancellationError() }
        try Task.checkCancellation()
    }
}
