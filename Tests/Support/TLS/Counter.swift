import Synchronization

/// A count that only rises.
final class Counter: Sendable {
    private let value = Mutex(0)

    /// Whether `count` is more than ever before.
    func rises(to count: Int) -> Bool {
        value.withLock { value in
            defer { value = max(value, count) }
            return count > value
        }
    }
}
