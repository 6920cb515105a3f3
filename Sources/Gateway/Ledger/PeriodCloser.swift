package import Domain
package import SQL
import Storage

/// Closes the hours that are over and rolls their postings up; see `LedgerRollup` for why nothing is missed.
package struct PeriodCloser: Sendable {
    /// How far a marketplace's books got.
    package struct Progress: Hashable, Sendable {
        /// The end of what is rolled up.
        package let rolledUntil: Timestamp
        /// How many hours were added up now; those without postings do not count.
        package let periods: Int
        /// Whether somebody still writes who may not know what is closed: the rest is rolled up another time.
        package let isHeldUp: Bool
    }

    /// How long an hour stays open once it is over.
    ///
    /// What comes later is posted later, so that this is only about whose month a posting falls into; posting takes
    /// seconds.
    package static let openMilliseconds: Int64 = 15 * 60_000
    /// How often to look whether everybody has ended who may not know what is closed, and how long to wait between.
    private static let looks = 200
    private static let pause = Duration.milliseconds(50)

    private let database: any Database

    /// Makes a closer.
    package init(database: any Database) { self.database = database }

    /// Closes and rolls up the hours of a marketplace that are over.
    ///
    /// - Parameters:
    ///   - marketplace: whose books.
    ///   - now: the time, by the marketplace's clock.
    ///   - looks: how often to look whether everybody has ended who may not know what is closed.
    /// - Returns: how far the books got.
    /// - Throws: `SQLError`, or `CancellationError`.
    package func close(_ marketplace: String, at now: Timestamp, looks: Int = Self.looks) async throws -> Progress {
        let end = LedgerRollup.lastEnd(before: now.adding(milliseconds: -Self.openMilliseconds))
        let known = try await rolledUntil(marketplace)
        if let known, known >= end { return Progress(rolledUntil: known, periods: 0, isHeldUp: false) }
        try await database.write { session in try LedgerRollup.close(marketplace, before: end, in: session) }
        guard try await isComplete(looks: looks) else {
            let before = Timestamp(microseconds: 0)
            return Progress(rolledUntil: known ?? before, periods: 0, isHeldUp: true)
        }
        var periods = 0
        while try await database.write({ try LedgerRollup.roll(marketplace, before: end, in: $0) }) {
            periods += 1
            try Task.checkCancellation()
        }
        return Progress(rolledUntil: end, periods: periods, isHeldUp: false)
    }

    private func rolledUntil(_ marketplace: String) async throws -> Timestamp? {
        try await database.read { session in try LedgerRollup.rolledUntil(marketplace, in: session) }
    }

    /// Waits until everybody has ended who may have written without having seen what was just closed.
    private func isComplete(looks: Int) async throws -> Bool {
        let next = try await database.read { session in try LedgerRollup.nextTransaction(in: session) }
        for look in 1...looks {
            let oldest = try await database.read { session in try LedgerRollup.oldestTransaction(in: session) }
            if oldest >= next { return true }
            if look < looks { try await Task.sleep(for: Self.pause) }
        }
        return false
    }
}
