import Domain
import Synchronization

/// How long an instance lives: what stands behind its last step never happens.
///
/// A dead instance is not told so. Whatever it awaits is never answered, as if its machine had lost its power; only
/// ``end()``, after the run, lets its tasks go. A frozen one (`SIGSTOP`, a long pause) goes on where it was, later.
final class SimulatedLife: Sendable {
    private struct State {
        var isDead = false
        var isOver = false
        var thawsAt: Timestamp?
        var parked: [CheckedContinuation<Void, Never>] = []
    }

    private let clock: VirtualClock
    private let state = Mutex(State())

    init(_ clock: VirtualClock) { self.clock = clock }

    /// Whether it is dead.
    var isDead: Bool { state.withLock { $0.isDead } }

    /// Whether the run is over.
    var isOver: Bool { state.withLock { $0.isOver } }

    /// Ends it now.
    func die() { state.withLock { $0.isDead = true } }

    /// Lets nothing go on until a moment.
    func freeze(until time: Timestamp) { state.withLock { $0.thawsAt = time } }

    /// Lets the tasks of an instance go, dead or not; whatever they ask for fails.
    func end() {
        let parked = state.withLock { state in
            state.isDead = true
            state.isOver = true
            defer { state.parked = [] }
            return state.parked
        }
        for continuation in parked { continuation.resume() }
    }

    /// Goes on if the instance lives; for a dead one, not before the run is over: then the answer is false.
    func pass() async -> Bool {
        while let thaw = state.withLock({ $0.isDead ? nil : $0.thawsAt }), thaw > clock.now {
            guard (try? await clock.sleep(until: thaw)) != nil else { break }
        }
        guard isDead else { return true }
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if !state.isOver { state.parked.append(continuation) }
                return state.isOver
            }
            if isOver { continuation.resume() }
        }
        return false
    }
}
