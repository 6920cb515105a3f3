package import Domain
package import SQL
import Synchronization

/// Time as the gateway sees it: the database's, so that all instances agree on what is due.
package protocol GatewayClock: Sendable {
    /// The present moment.
    func now() -> Timestamp

    /// Waits until `time` has come.
    ///
    /// - Throws: `CancellationError`.
    func sleep(until time: Timestamp) async throws
}

/// The database's clock, read once in a while and carried on by this machine's monotonic clock.
///
/// Asking the database every time would cost a round trip; two instances whose machines disagree would otherwise
/// take each other's operations in hand too early.
package final class DatabaseClock: GatewayClock {
    private struct Fix {
        let database: Int64
        let instant: ContinuousClock.Instant
    }

    private let fix: Mutex<Fix>

    /// Reads the database's clock.
    ///
    /// - Throws: `SQLError`.
    package init(_ database: any Database) async throws {
        fix = Mutex(Fix(database: try await database.now(), instant: .now))
    }

    /// Reads the database's clock again.
    ///
    /// Time does not go backwards because of it.
    ///
    /// - Throws: `SQLError`.
    package func synchronize(with database: any Database) async throws {
        let before = ContinuousClock.now
        let read = try await database.now()
        let after = ContinuousClock.now
        let middle = read + (after - before).microseconds / 2
        fix.withLock { $0 = Fix(database: max(middle, Self.carried($0, to: after)), instant: after) }
    }

    package func now() -> Timestamp {
        Timestamp(microseconds: fix.withLock { Self.carried($0, to: .now) })
    }

    package func sleep(until time: Timestamp) async throws {
        let wait = time.microseconds - now().microseconds
        guard wait > 0 else { return try Task.checkCancellation() }
        try await ContinuousClock().sleep(for: .microseconds(wait))
    }

    private static func carried(_ fix: Fix, to instant: ContinuousClock.Instant) -> Int64 {
        fix.database + (instant - fix.instant).microseconds
    }
}

extension Duration {
    /// Whole microseconds.
    fileprivate var microseconds: Int64 {
        components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000
    }
}
