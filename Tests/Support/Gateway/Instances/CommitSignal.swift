import Synchronization

/// Counts what happens to a database, and wakes whoever waits for the next thing to happen.
package final class CommitSignal: Sendable {
    private struct State {
        var count = 0
        var next = 0
        var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
    }

    private let state = Mutex(State())

    /// A signal that has not been given yet.
    package init() {}

    /// How often it was given.
    package var count: Int { state.withLock { $0.count } }

    /// Gives the signal.
    package func give() {
        let waiting = state.withLock { state in
            state.count += 1
            defer { state.waiting = [:] }
            return Array(state.waiting.values)
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Waits until it was given more than `count` times; looks up again after a while at the latest.
    package func wait(beyond count: Int, atMost limit: Duration = .milliseconds(200)) async {
        let number = state.withLock { state in
            state.next += 1
            return state.next
        }
        let timer = Task {
            try await Task.sleep(for: limit)
            self.release(number)
        }
        defer { timer.cancel() }
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if state.count > count { return true }
                state.waiting[number] = continuation
                return false
            }
            if isOver { continuation.resume() }
        }
    }

    private func release(_ number: Int) {
        state.withLock { $0.waiting.removeValue(forKey: number) }?.resume()
    }
}
