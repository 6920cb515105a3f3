import Synchronization

/// Where a task puts what came of it.
final class ResultSlot<Value: Sendable>: Sendable {
    private let state = Mutex<Result<Value, any Error>?>(nil)
    private let hasContent = Atomic(false)

    /// Whether anything came of it; asked before each job.
    var isFull: Bool { hasContent.load(ordering: .acquiring) }

    /// What came of it; nil as long as it goes on.
    var content: Result<Value, any Error>? { state.withLock { $0 } }

    /// Puts it there.
    func fill(_ result: Result<Value, any Error>) {
        state.withLock { $0 = result }
        hasContent.store(true, ordering: .releasing)
    }
}
