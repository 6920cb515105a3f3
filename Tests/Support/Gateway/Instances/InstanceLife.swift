import Synchronization

/// How long a gateway instance lives: what stands after its last step never happens.
///
/// A dead instance is not told so. Whatever it awaits is never answered, as if its machine had lost its power; only
/// ``end()``, at the end of a test, lets its tasks go.
package final class InstanceLife: Sendable {
    /// The last step of an instance.
    package enum Death: Hashable, Sendable, CustomStringConvertible {
        /// Just before its n-th transaction that writes, from 1.
        case beforeWrite(Int)
        /// Its n-th transaction is committed, but it never learns so.
        case afterWrite(Int)
        /// Just before its n-th call to a PSP, from 1.
        case beforeCall(Int)
        /// The PSP has acted on its n-th call, but it never hears the reply.
        case afterCall(Int)

        package var description: String {
            switch self {
            case .beforeWrite(let number): "before write \(number)"
            case .afterWrite(let number): "after write \(number)"
            case .beforeCall(let number): "before call \(number)"
            case .afterCall(let number): "after call \(number)"
            }
        }
    }

    private struct State {
        var writes = 0
        var calls = 0
        var isDead = false
        var isEnded = false
        var parked: [CheckedContinuation<Void, Never>] = []
    }

    private let death: Death?
    private let signal: CommitSignal
    private let state = Mutex(State())

    /// A life that ends at `death`, or never; `signal` is given when it does.
    package init(endingAt death: Death? = nil, signal: CommitSignal) {
        self.death = death
        self.signal = signal
    }

    /// Whether it is over.
    package var isDead: Bool { state.withLock { $0.isDead } }

    /// How many transactions it wrote and how many calls it made, begun ones included.
    package var steps: (writes: Int, calls: Int) { state.withLock { ($0.writes, $0.calls) } }

    /// Ends it now.
    package func die() {
        state.withLock { $0.isDead = true }
        signal.give()
    }

    /// Lets the tasks of a dead instance go.
    package func end() {
        let parked = state.withLock { state in
            state.isDead = true
            state.isEnded = true
            defer { state.parked = [] }
            return state.parked
        }
        for continuation in parked { continuation.resume() }
    }

    /// Counts a transaction about to begin and answers its number; for a dead instance, never.
    func beginWrite() async -> Int {
        let number = state.withLock { state in
            state.writes += 1
            return state.writes
        }
        await pass(.beforeWrite(number))
        return number
    }

    /// The n-th transaction is committed, or came to nothing.
    func commit(_ number: Int) { if death == .afterWrite(number) { die() } }

    /// Counts a call about to be made and answers its number; for a dead instance, never.
    func beginCall() async -> Int {
        let number = state.withLock { state in
            state.calls += 1
            return state.calls
        }
        await pass(.beforeCall(number))
        return number
    }

    /// The n-th call has been answered.
    func endCall(_ number: Int) async { await pass(.afterCall(number)) }

    /// Goes on if the instance lives; for a dead one, never.
    func pass(_ step: Death? = nil) async {
        if let step, step == death { die() }
        guard isDead else { return }
        await withCheckedContinuation { continuation in
            let isEnded = state.withLock { state in
                if !state.isEnded { state.parked.append(continuation) }
                return state.isEnded
            }
            if isEnded { continuation.resume() }
        }
    }
}
