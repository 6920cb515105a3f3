import Synchronization

/// Lets a few tasks at a time into something that many want to do.
final class Turnstile: Sendable {
    private struct State {
        var free: Int
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state: Mutex<State>

    /// A turnstile before so many places.
    init(places: Int) { state = Mutex(State(free: places)) }

    /// Waits for a place and gives it back after `body`.
    func pass<Value>(_ body: () async throws -> Value) async rethrows -> Value {
        await withCheckedContinuation { caller in
            let mayEnter = state.withLock { state in
                guard state.free > 0 else {
                    state.waiting.append(caller)
                    return false
                }
                state.free -= 1
                return true
            }
            if mayEnter { caller.resume() }
        }
        defer { leave() }
        return try await body()
    }

    private func leave() {
        let next = state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.free += 1
                return nil as CheckedContinuation<Void, Never>?
            }
            return state.waiting.removeFirst()
        }
        next?.resume()
    }
}
