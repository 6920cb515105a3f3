import Domain
import HTTPTransport
import Keyring
import PostgresDatabase
import StrictJSON
import Synchronization

/// A gateway that is killed with orders in hand, and another one that takes them over while new orders come.
struct RestartMeasurement {
    /// How many new orders come a second.
    private static let newOrdersPerSecond = 20.0
    /// How many orders are placed at the same time; their callers wait a second each.
    private static let callers = 256
    /// How many orders a second are placed at the least, so that the first are in hand still when the last one is.
    private static let leastPerSecond = 100
    /// How long nobody who has been called answers beyond that, in seconds.
    private static let marginSeconds = 12
    /// By how much a lease is longer than a call to a PSP, in seconds: 30 by the rules of the configuration, the rest for
    /// a call to begin in.
    private static let leaseBeyondCallSeconds = 35
    /// How long to wait for all orders to be owned beyond the lease, in seconds.
    private static let patienceSeconds = 60
    /// How many orders are looked at again and again until they are owned, and how long to wait between.
    private static let watched = 50
    private static let watchPause = Duration.milliseconds(100)
    /// The most connections that the settings allow, some of them for new orders.
    private static let (mostConnections, kept) = (10_000, 1000)

    /// The database's URL.
    let url: String
    /// The key `k1` of the ring.
    let secret: Secret
    /// How many orders are in flight.
    let orders: Int

    /// How long a call to a PSP may take, in seconds: no operation times out before all are in hand.
    private var callSeconds: Int { Self.marginSeconds + orders / Self.leastPerSecond }
    private var leaseSeconds: Int { callSeconds + Self.leaseBeyondCallSeconds }
    private var patience: Duration { .seconds(leaseSeconds + Self.patienceSeconds + orders / Self.leastPerSecond) }

    /// The gateways' settings: as many calls at once as orders, and a lease as short as that allows.
    private var settings: [String: String] {
        let calls = max(64, min(Self.mostConnections - Self.kept, orders))
        return [
            "TRIBUTARY_TIMINGS_PSP_TIMEOUT": "\(callSeconds)s", "TRIBUTARY_TIMINGS_LEASE": "\(leaseSeconds)s",
            "TRIBUTARY_PSP_CONNECTIONS": "\(calls + Self.kept)", "TRIBUTARY_PSP_CONNECTIONS_PER_HOST": "\(calls)",
            "TRIBUTARY_PSP_CONNECTIONS_PER_ACCOUNT": "\(calls)",
        ]
    }

    /// What was measured.
    private struct Figures {
        let inFlight: Int
        /// How long after the process was killed all orders were owned.
        let ownedSeconds: Double
        /// The same after the last of its leases ended.
        let beyondLeaseSeconds: Double
        let answers: [NewOrder]
    }

    /// One new order: how long it took from when it was due, in milliseconds; nil if it was not accepted.
    private struct NewOrder {
        let milliseconds: Double?
    }

    /// Whether something has happened, which one task tells another.
    private final class Flag: Sendable {
        private let state = Atomic(false)
        var isRaised: Bool { state.load(ordering: .acquiring) }
        func raise() { state.store(true, ordering: .releasing) }
    }

    /// Measures and reports.
    ///
    /// - Throws: ``CommandFailure`` if something cannot be started or an order is not taken on, or `SQLError`.
    func run(_ report: inout BenchReport) async throws {
        let database = try PostgresDatabase(url: url, connections: 2)
        let result = await Result {
            try await ServedStage.withSimulator { hanging in
                let keyring = try Keyring(current: "k1", keys: ["k1": secret])
                try await BenchStage(database, psp: .instant, keyring: keyring).addHangingAccounts(at: hanging)
                return try await ServedStage.with(url, secret: secret, settings: settings) {
                    try PostgresDatabase(url: url, connections: 2)
                } closing: {
                    await $0.close()
                } _: {
                    try await measure($0, database)
                }
            }
        }
        await database.close()
        let figures = try result.get()
        let taken = figures.answers.compactMap(\.milliseconds).sorted()
        report.add("restart_orders_in_flight", Double(figures.inFlight))
        report.add("restart_lease_seconds", Double(leaseSeconds))
        report.add("restart_seconds_until_owned", figures.ownedSeconds)
        report.add(
            ratio: "restart_seconds_until_owned_beyond_lease",
            max(0, figures.beyondLeaseSeconds),
            atMost: 10
        )
        report.add("restart_new_orders_answered", Double(taken.count))
        report.add(ratio: "restart_new_orders_failed", Double(figures.answers.count - taken.count), atMost: 0)
        report.add("restart_new_orders_p99_ms", LoadResult.percentile(99, of: taken))
    }

    private func measure(_ stage: ServedStage, _ database: PostgresDatabase) async throws -> Figures {
        let leases = OperationLeases(database: database)
        // A second earlier, for clocks that differ.
        let start = Timestamp(microseconds: try await database.now()).adding(milliseconds: -1000)
        let began = ContinuousClock.now
        try await placeAll(stage)
        let process = stage.processNumber
        await stage.kill()
        let killed = ContinuousClock.now
        return try await stage.withAnother { fresh in
            let isOwned = Flag()
            async let answers = Self.place(at: fresh, until: isOwned)
            let owned = await Result {
                let (ids, last) = try await leases.orders(inHandOf: process, since: start)
                Console.note("killed with \(ids.count) orders in flight; their leases end in \(leaseSeconds) s…")
                try await ContinuousClock().sleep(until: began + .seconds(leaseSeconds))
                try await waitUntilOwned(ids, by: killed + patience, process, leases)
                let seconds = (ContinuousClock.now - killed).milliseconds / 1000
                let now = Timestamp(microseconds: try await database.now())
                return (ids.count, seconds, last.map { Double(now.milliseconds(since: $0)) / 1000 } ?? 0)
            }
            isOwned.raise()
            let (count, seconds, beyond) = try owned.get()
            return Figures(
                inFlight: count,
                ownedSeconds: seconds,
                beyondLeaseSeconds: beyond,
                answers: await answers
            )
        }
    }

    /// Places the orders that hang, each answered after its deadline of a second.
    private func placeAll(_ stage: ServedStage) async throws {
        let end = ContinuousClock.now + .seconds(callSeconds)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<orders {
                if number >= Self.callers { try await group.next() }
                group.addTask {
                    let request = stage.hangingOrder(number)
                    while ContinuousClock.now < end {
                        if case .reply(let reply) = await stage.client.send(request), reply.status == 202 { return }
                        try await Task.sleep(for: .milliseconds(100))
                    }
                    throw CommandFailure.finding("an order for a PSP that hangs was not taken on in time")
                }
            }
            try await group.waitForAll()
        }
    }

    /// Returns when nothing of the orders, the oldest first, is in the hand of a process that is gone, or the time is over.
    ///
    /// Reads few of them as long as it waits for these, so that the gateway has the machine.
    private func waitUntilOwned(
        _ orders: [OrderID],
        by end: ContinuousClock.Instant,
        _ process: Int32,
        _ leases: OperationLeases
    ) async throws {
        var left = orders[...]
        var count = Self.watched
        while !left.isEmpty, ContinuousClock.now < end {
            let page = Array(left.prefix(count))
            let held = try await leases.orders(among: page, inHandOf: process)
            left = held + left.dropFirst(page.count)
            count = held.isEmpty ? min(2 * count, 10 * Self.watched) : Self.watched
            if !held.isEmpty { try await Task.sleep(for: Self.watchPause) }
        }
    }

    /// Places new orders on a timetable until the flag is raised.
    private static func place(at stage: ServedStage, until flag: Flag) async -> [NewOrder] {
        let clock = ContinuousClock()
        var due = clock.now
        return await withTaskGroup(of: NewOrder.self) { group in
            while !flag.isRaised {
                group.addTask { [due] in
                    guard case .reply(let reply) = await stage.client.send(stage.order()), reply.status == 201,
                        let decision = (try? JSON.parse(reply.body))?["decision"]?.stringValue,
                        ["cleared", "accepted"].contains(decision)
                    else { return NewOrder(milliseconds: nil) }
                    return NewOrder(milliseconds: (clock.now - due).milliseconds)
                }
                due += .seconds(1 / newOrdersPerSecond)
                try? await clock.sleep(until: due)
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }
}
