import Synchronization

/// Where a task puts what came of it.
final class ResultSlot<Value: Sendable>: Sendable {
    private let state = Mutex<Result<Value, any Error>?>(nil)

    /// What came of it; nil as long as it goes on.
    var content: Result<Value, any Error>? { state.withLock { $0 } }

    /// Puts it there.
    func fill(_ result: Result<Value, any Error>) { state.withLock { $0 = result } }
}
