import Synchronization

/// Ends waits at their time, with one timer for all of them: most are over long before, and a timer that is called off stays
/// with the system until its time comes.
final class Alarms: Sendable {
    /// The alarms of the process.
    static let shared = Alarms()

    /// An alarm rings no later than this behind its time.
    static let resolution = Duration.milliseconds(50)

    /// An alarm that is set.
    struct Alarm: Hashable, Sendable {
        fileprivate let number: UInt64
    }

    private struct State {
        var next: UInt64 = 0
        var waiting: [Alarm: (time: ContinuousClock.Instant, ring: @Sendable () -> Void)] = [:]
        var isWatched = false
    }

    private let state = Mutex(State())

    /// Calls `ring` once, when the time has come, unless it is called off before; `ring` must not block.
    func set(at time: ContinuousClock.Instant, _ ring: @escaping @Sendable () -> Void) -> Alarm {
        let (alarm, wasWatched) = state.withLock { state in
            state.next += 1
            let alarm = Alarm(number: state.next)
            state.waiting[alarm] = (time, ring)
            defer { state.isWatched = true }
            return (alarm, state.isWatched)
        }
        if !wasWatched { Task { await self.watch() } }
        return alarm
    }

    /// Calls an alarm off that may have rung.
    func cancel(_ alarm: Alarm) { state.withLock { _ = $0.waiting.removeValue(forKey: alarm) } }

    /// Rings what is due, in the order of the times, until nothing waits any more.
    private func watch() async {
        while true {
            try? await Task.sleep(for: Self.resolution)
            let now = ContinuousClock.now
            let (due, isOver) = state.withLock { state in
                let due = state.waiting.filter { $0.value.time <= now }
                for alarm in due.keys { state.waiting[alarm] = nil }
                state.isWatched = !state.waiting.isEmpty
                let inOrder = due.sorted { ($0.value.time, $0.key.number) < ($1.value.time, $1.key.number) }
                return (inOrder.map { $0.value.ring }, state.waiting.isEmpty)
            }
            for ring in due { ring() }
            if isOver { return }
        }
    }
}
