import Domain
import SQLiteDatabase
import Storage
import Synchronization

/// When a look for due work is worth it: what it would find is known without it, until somebody writes.
///
/// The looks are what a run with hours in it would have most of. Now and then one is made all the same: what finds work that
/// is not due would not be noticed otherwise, and some of what instances do at a look they do by a clock of their own.
final class SimulatedRounds: Sendable {
    /// How long an instance goes without a look, in milliseconds: twice as long each time that nothing is due, up to a quarter of
    /// an hour.
    static let pauseMilliseconds: ClosedRange<Int64> = 60_000...900_000

    private struct Known {
        let version: Int
        let next: Timestamp?
    }

    private let database: MemoryDatabase
    private let known = Mutex<Known?>(nil)

    init(_ database: MemoryDatabase) { self.database = database }

    /// Whether a look would find anything at a moment.
    func isDue(at now: Timestamp) -> Bool {
        do {
            return try next().map { $0 <= now } ?? false
        } catch {
            // The look itself finds out why.
            return true
        }
    }

    private func next() throws -> Timestamp? {
        let version = database.version
        if let known = known.withLock({ $0 }), known.version == version { return known.next }
        let next = try database.look { session in try DueWork.next(in: session) }
        known.withLock { $0 = Known(version: version, next: next) }
        return next
    }
}
