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
///
/// Time does not go backwards: where it was ahead of the database's, it stands still until that has caught up. The clock of an
/// embedded database is the machine's, which somebody may set: where that runs away from the monotonic clock, it is not followed
/// ahead either, so that nothing is dated into the future. A server's clock is followed ahead, because other instances are.
package final class DatabaseClock: GatewayClock {
    private struct Fix {
        let database: Int64
        let instant: ContinuousClock.Instant
        /// The latest moment that can have been told before.
        let floor: Int64
        /// How much further the database's clock was than this one when it was last read, where it is not followed.
        var ahead: Int64?

        init(database: Int64, instant: ContinuousClock.Instant, floor: Int64? = nil, ahead: Int64? = nil) {
            (self.database, self.instant, self.ahead) = (database, instant, ahead)
            self.floor = floor ?? database
        }

        /// The present moment.
        var shown: Int64 { max(floor, DatabaseClock.carried(self, to: .now)) }
    }

    /// A machine's clock that is further from where the monotonic clock has it, in microseconds, was set: drift between
    /// two readings is milliseconds.
    private static let driftMicroseconds: Int64 = 10_000_000

    private let fix: Mutex<Fix>

    /// Reads the database's clock.
    ///
    /// - Throws: `SQLError`.
    package init(_ database: any Database) async throws {
        fix = Mutex(Fix(database: try await database.now(), instant: .now))
    }

    /// Reads the database's clock again, and follows it where it was not set.
    ///
    /// The database read it at some moment of the round trip, perhaps at its end, after a wait for a connection: it is right to be
    /// no earlier by now, and no later than by all of that.
    ///
    /// - Throws: `SQLError`.
    package func synchronize(with database: any Database) async throws {
        let before = ContinuousClock.now
        let read = try await database.now()
        let after = ContinuousClock.now
        let latest = read + (after - before).microseconds
        let isMachines = database.dialect == .sqlite
        fix.withLock { fix in
            let carried = Self.carried(fix, to: after)
            let followed = min(max(carried, read), latest)
            let ahead = followed - carried
            let isSet = ahead < -Self.driftMicroseconds || isMachines && ahead > Self.driftMicroseconds
            fix = Fix(
                database: isSet ? carried : followed,
                instant: after,
                floor: max(fix.floor, Self.carried(fix, to: .now)),
                ahead: isSet ? ahead : nil
            )
        }
    }

    /// How far the database's clock has run away from this one, in milliseconds, behind it below zero; nil if it is followed.
    ///
    /// It stays so until that clock is right again or the process is started anew, which takes the clock as it is then.
    package var aheadMilliseconds: Int64? { fix.withLock { $0.ahead }.map { $0 / 1000 } }

    package func now() -> Timestamp {
        Timestamp(microseconds: fix.withLock(\.shown))
    }

    package func sleep(until time: Timestamp) async throws {
        // Where time stands still, what has not come takes longer than it seems.
        let wait = fix.withLock { fix in
            fix.shown < time.microseconds ? time.microseconds - Self.carried(fix, to: .now) : 0
        }
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
