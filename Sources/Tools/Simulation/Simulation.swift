package import Domain
import SQLiteDatabase
import Storage

/// The whole gateway in a world of its own, over and over, each time as another seed has it.
///
/// Real instances, order log, machine, runner, poller, webhooks, callbacks and adapters run over a database in memory and the
/// PSPs' own books, in virtual time and on one thread; every choice is the seed's, down to which task goes on first. A
/// process simulates one seed at a time, and does nothing else meanwhile.
package struct Simulation {
    /// What came of a seed.
    package struct Verdict: Sendable {
        /// What is wrong; empty if nothing is.
        package let complaints: [String]
        /// What happened, line by line, if that was asked for.
        package let trace: [String]
        /// How many orders were placed.
        package let orders: Int
        /// How many things had to happen.
        package let happenings: Int
    }

    /// Mistakes have places in builds for debugging only.
    package struct NothingPlanted: Error, CustomStringConvertible {
        /// A sentence.
        package let description = "this program is built for release, which has no places for mistakes"
    }

    private let database: MemoryDatabase
    private let clock = VirtualClock()
    private let plant: PlantedBug?
    private let minutes: Int64?
    private let happenings: Int64?

    /// Makes ready to simulate seeds.
    ///
    /// - Parameters:
    ///   - plant: what is wrong on purpose; nil for nothing.
    ///   - minutes: how long things happen in a run at the most, in virtual time; nil for as long as each seed has it.
    ///   - happenings: how much happens in a run, 4 at the least; nil for as much as each seed has.
    /// - Throws: ``NothingPlanted`` if this build has no place for mistakes, or `SQLError`.
    package init(planting plant: PlantedBug? = nil, minutes: Int64? = nil, happenings: Int64? = nil) async throws {
        guard plant == nil || PlantedBug.canBePlanted else { throw NothingPlanted() }
        self.plant = plant
        (self.minutes, self.happenings) = (minutes, happenings)
        database = try MemoryDatabase { [clock] in clock.now.microseconds }
        _ = try await Migrator().migrate(database)
    }

    /// Simulates a seed; must be called where nothing is awaited, and nothing else runs in the process.
    ///
    /// - Throws: if this program's runtime cannot run tasks in a chosen order, or the database in memory fails.
    package func verdict(seed: UInt64, isTraced: Bool = false) throws -> Verdict {
        try verdict(on: plan(seed), isTraced: isTraced)
    }

    /// Simulates a seed that fails with ever fewer happenings, as long as it still fails, and traces the last.
    ///
    /// - Parameters:
    ///   - seed: the seed.
    ///   - tries: how many runs to try at the most.
    /// - Returns: what came of the shortest run that fails.
    /// - Throws: as ``verdict(seed:isTraced:)``.
    package func shrunkenVerdict(seed: UInt64, tries: Int = 150) throws -> Verdict {
        var (plan, left) = (plan(seed), tries)
        var size = max(1, plan.happenings.count / 2)
        while left > 0 {
            var (isSmaller, start) = (false, 0)
            while start < plan.happenings.count, left > 0 {
                var smaller = plan
                smaller.happenings.removeSubrange(start..<min(start + size, plan.happenings.count))
                left -= 1
                if try verdict(on: smaller, isTraced: false).complaints.isEmpty {
                    start += size
                } else {
                    (plan, isSmaller) = (smaller, true)
                }
            }
            if size == 1, !isSmaller { break }
            size = max(1, size / 2)
        }
        return try verdict(on: plan, isTraced: true)
    }

    private func plan(_ seed: UInt64) -> SimulationPlan {
        SimulationPlan(seed: seed, minutes: minutes, happenings: happenings)
    }

    private func verdict(on plan: SimulationPlan, isTraced: Bool) throws -> Verdict {
        let result = try PlantedBug.withPlanted(plant) {
            try SimulationRun.result(of: plan, on: database, clock, isTraced: isTraced)
        }
        return Verdict(
            complaints: result.complaints,
            trace: result.trace,
            orders: result.orders,
            happenings: plan.happenings.count
        )
    }
}
