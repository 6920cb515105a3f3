import Domain
import SQL
import Storage

/// Forgets what was settled long ago, and gives up what waits for nobody.
struct Cleaning {
    /// The most callbacks that one transaction touches; the rest is the next cleaning's.
    private static let atOnce = 10_000

    let settings: DeliverySettings

    /// Clears up.
    ///
    /// - Throws: `SQLError`.
    func run(in database: any Database, at now: Timestamp) async throws {
        let settled = now.adding(milliseconds: -settings.keepMilliseconds)
        let due = now.adding(milliseconds: -settings.patienceMilliseconds)
        try await database.write { session in
            _ = try CallbackQueue.forget(settledBefore: settled, limit: Self.atOnce, in: session)
            for endpoint in try CallbackQueue.deserted(dueBefore: due, in: session) {
                _ = try CallbackQueue.giveUp(
                    at: endpoint,
                    dueBefore: due,
                    limit: Self.atOnce,
                    at: now,
                    because: "the endpoint was disabled for too long",
                    in: session
                )
            }
        }
    }
}
