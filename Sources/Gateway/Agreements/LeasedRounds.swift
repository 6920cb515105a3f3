import Domain
import Logging

/// Takes what is due from the database, a few at a time, and works on it, again and again.
///
/// Any number of instances may do so from one database: whoever claims something leases it, and it is due again for whoever is
/// next once the lease is over.
struct LeasedRounds<Item: Sendable>: Sendable {
    /// How much is taken at once.
    static var placeLimit: Int { 8 }
    /// How often to look whether something is due, in milliseconds.
    private static var pollMilliseconds: Int64 { 1000 }

    let clock: any GatewayClock
    let logger: Logger
    /// What is worked on, for the log.
    let subject: String
    /// Takes what is due at a moment in hand, so much at most.
    let claim: @Sendable (Timestamp, Int) async throws -> [Item]
    /// Works on one thing.
    let work: @Sendable (Item) async -> Void

    /// Works on what is due until the task is canceled.
    func run() async {
        while !Task.isCancelled {
            while await round() == Self.placeLimit, !Task.isCancelled {}
            try? await clock.sleep(until: clock.now().adding(milliseconds: Self.pollMilliseconds))
        }
    }

    /// Works on what is due now, as much as there is place for; answers how much that was.
    func round() async -> Int {
        do {
            let claimed = try await claim(clock.now(), Self.placeLimit)
            await withDiscardingTaskGroup { group in
                for item in claimed { group.addTask { await work(item) } }
            }
            return claimed.count
        } catch {
            if !(error is CancellationError) {
                logger.info("\(subject) are looked for again", metadata: ["error": "\(error)"])
            }
            return 0
        }
    }
}
