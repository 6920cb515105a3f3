package import Domain
package import SQL
import Storage
import StrictJSON

/// Moves the clocks of test marketplaces forward, and has what is due by then done.
///
/// Orders, retries of what a PSP left in doubt, statements and invoices go by the clock; leases, calls, credentials,
/// API keys, idempotency keys and the retries of callbacks by the real time.
package struct TestClocks: Sendable {
    /// How far to move a clock.
    package enum Advance: Hashable, Sendable {
        /// To the moment that it then shows.
        case to(Timestamp)
        /// By so many seconds.
        case bySeconds(Int64)
    }

    /// What a clock shows.
    package struct Reading: Hashable, Sendable {
        /// The clock.
        package let clock: MarketplaceClock
        /// The real time.
        package let realTime: Timestamp

        /// What it shows.
        package var time: Timestamp { clock.time(at: realTime) }
    }

    private let database: any Database
    private let clock: any GatewayClock

    /// The clocks in a database.
    package init(database: any Database, clock: any GatewayClock) {
        self.database = database
        self.clock = clock
    }

    /// The clocks in a gateway's database.
    package init(_ gateway: Gateway) { self.init(database: gateway.database, clock: gateway.clock) }

    /// What the clock of a marketplace shows; in a live marketplace that is the real time.
    ///
    /// - Throws: ``DirectoryRefusal/unknownMarketplace(_:)`` or `SQLError`.
    package func reading(of marketplace: String) async throws -> Reading {
        let now = clock.now()
        let found = try await database.read { session in try TestClockTable.clock(of: marketplace, in: session) }
        guard let found else { throw DirectoryRefusal.unknownMarketplace(marketplace) }
        return Reading(clock: found, realTime: now)
    }

    /// Moves the clock of a test marketplace forward, wakes its orders, and closes the hours that are over by then.
    ///
    /// Who moves it stands in the audit trail at the real time; a clock that shows the time already is not moved.
    ///
    /// What was due is done by whoever polls, seconds later. If this ends early, the clock stays moved, and an instance
    /// goes on waking orders within a minute.
    ///
    /// - Returns: what the clock shows from now on.
    /// - Throws: `TestClockRefusal`, ``DirectoryRefusal/unknownMarketplace(_:)``, `SQLError` or `CancellationError`.
    package func advance(
        _ marketplace: String,
        _ advance: Advance,
        by actor: AuditActor
    ) async throws -> Reading {
        let now = clock.now()
        let moved = try await database.write { session in
            guard let before = try TestClockTable.lock(marketplace, in: session) else {
                throw DirectoryRefusal.unknownMarketplace(marketplace)
            }
            let after =
                switch advance {
                case .to(let time): try before.advanced(to: time, at: now)
                case .bySeconds(let seconds): try before.advanced(bySeconds: seconds, at: now)
                }
            guard after != before else { return after }
            try TestClockTable.move(to: after, of: marketplace, at: now, in: session)
            try AuditTrailTable.record(
                .advanceTestClock,
                by: actor,
                on: AuditSubject(.marketplace, marketplace),
                of: marketplace,
                at: now,
                [
                    "from": .string(before.time(at: now).description),
                    "to": .string(after.time(at: now).description),
                ],
                in: session
            )
            return after
        }
        try await wake(marketplace)
        _ = try await PeriodCloser(database: database).close(marketplace, at: moved.time(at: now))
        return Reading(clock: moved, realTime: now)
    }

    /// Goes on where somebody moved a clock and ended before all orders were woken.
    ///
    /// - Throws: `SQLError` or `CancellationError`.
    package func finish() async throws {
        let marketplaces = try await database.read { session in try TestClockTable.unfinished(in: session) }
        for marketplace in marketplaces { try await wake(marketplace) }
    }

    private func wake(_ marketplace: String) async throws {
        let clock = clock
        while try await database.write({ try TestClockTable.wake(marketplace, at: clock.now(), in: $0) }) {
            try Task.checkCancellation()
        }
    }
}
