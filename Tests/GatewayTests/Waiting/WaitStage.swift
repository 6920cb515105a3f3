import Domain
import Gateway
import SQL
import TributaryTestKit

/// A marketplace whose requests wait much longer than a test takes, unless a step wakes them.
struct WaitStage {
    /// Longer than a test takes.
    static let farMilliseconds: Int64 = 600_000

    let harness: GatewayHarness
    let database: WatchedDatabase
    private let engine: DatabaseEngine

    /// Lends a stage on a fresh database.
    ///
    /// - Parameters:
    ///   - engine: the database's.
    ///   - clock: what time it is.
    ///   - netMilliseconds: how often a wait looks at its order by itself.
    ///   - hasNotifications: whether the database's notifications come through.
    ///   - body: what to do on it.
    /// - Throws: what `body` throws.
    static func with(
        _ engine: DatabaseEngine,
        clock: ManualClock = ManualClock(.flows),
        netMilliseconds: Int64 = Self.farMilliseconds,
        hasNotifications: Bool = true,
        _ body: (WaitStage) async throws -> Void
    ) async throws {
        var settings = GatewayHarness.settings
        settings.waitNetMilliseconds = netMilliseconds
        settings.deadlineMilliseconds = Self.farMilliseconds
        try await withDatabase(engine, prepare: .listening) { [settings] base in
            let database = WatchedDatabase(base, hasNotifications: hasNotifications)
            let harness = try GatewayHarness(database, clock: clock, settings: settings)
            let result: Result<Void, any Error>
            do {
                result = .success(try await body(WaitStage(harness: harness, database: database, engine: engine)))
            } catch {
                result = .failure(error)
            }
            await harness.end()
            try result.get()
        }
    }

    /// So many instances; where one process has the database to itself, the same one each time.
    func instances(_ names: String...) -> [GatewayInstance] {
        guard engine == .sqlite else { return names.map { harness.instance($0) } }
        return Array(repeating: harness.instance(names[0]), count: names.count)
    }

    /// Waits until so many instances have written down that they wait for an order; nobody does where there is one.
    func waiters(for order: OrderID, count: Int = 1) async throws {
        guard engine == .postgres else { return }
        try await eventually {
            let rows = try await database.read { session in
                try session.rows("SELECT instance FROM order_waiter WHERE order_id = \(order.text)")
            }
            return rows.count == count
        }
    }

    /// Waits until a condition holds; the suite's time limit ends that.
    func eventually(_ condition: () async throws -> Bool) async throws {
        while try await !condition() {
            let seen = harness.signal.count
            try Task.checkCancellation()
            await harness.signal.wait(beyond: seen, atMost: .milliseconds(2))
        }
    }
}
