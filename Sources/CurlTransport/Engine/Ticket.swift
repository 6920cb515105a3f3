import Synchronization

/// Names one call of `send`, and remembers that it was cancelled.
///
/// The cancellation may come before the request itself, when a cancelled task sends: then only the flag tells.
final class Ticket: Sendable {
    let number: UInt
    private let cancelled = Atomic(false)

    init(number: UInt) { self.number = number }

    var isCancelled: Bool { cancelled.load(ordering: .acquiring) }

    func markCancelled() { cancelled.store(true, ordering: .releasing) }
}
