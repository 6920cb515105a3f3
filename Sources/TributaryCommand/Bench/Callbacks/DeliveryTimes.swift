import Synchronization

/// When callbacks were written down, and when they arrived for the first time.
final class DeliveryTimes: Sendable {
    private struct Book {
        var written: [String: ContinuousClock.Instant] = [:]
        var arrived: [String: ContinuousClock.Instant] = [:]
    }

    private let book = Mutex(Book())

    /// Notes that a callback is written down, as of now.
    func write(_ id: String) { book.withLock { $0.written[id] = .now } }

    /// Notes that a callback has arrived, as of now.
    func arrive(_ id: String) {
        book.withLock { book in
            if book.arrived[id] == nil { book.arrived[id] = .now }
        }
    }

    /// How many of those that were written down have not arrived.
    var missing: Int { book.withLock { book in book.written.keys.count { book.arrived[$0] == nil } } }

    /// How long those took that have arrived, in milliseconds; a reader may be quicker than the writer's own note.
    var latencies: [Double] {
        book.withLock { book in
            book.written.compactMap { id, written in book.arrived[id].map { max(0, ($0 - written).milliseconds) } }
        }
    }
}
