import Domain
import Synchronization

/// Whether a round may begin to send one more callback.
final class RoundGate: Sendable {
    private let isOpen = Atomic(true)
    private let end: Timestamp
    private let now: @Sendable () -> Timestamp

    /// A gate that closes at `end`.
    init(until end: Timestamp, now: @escaping @Sendable () -> Timestamp) {
        self.end = end
        self.now = now
    }

    /// Whether it may.
    var lets: Bool { isOpen.load(ordering: .relaxed) && now() < end && !Task.isCancelled }

    /// Lets nothing more begin.
    func close() { isOpen.store(false, ordering: .relaxed) }
}
