import AdapterKit
import Domain
import Foundation
import Gateway
import SQL
import Storage
import TributaryTestKit

/// A marketplace at simulated PSPs whose database is copied, goes on, and is lost but for the copy.
struct RestoredBooks: Sendable {
    /// Orders as they were when the copy was made.
    struct Copied: Sendable {
        /// Held on all cards.
        let held: OrderID
        /// Captured.
        let paid: OrderID
        /// Captured, with a refund of all written down that nobody has sent.
        let refunding: OrderID
        /// All-or-nothing, its authorizations on their way; nil unless asked for.
        let undecided: OrderID?
        /// What opens credentials that were sealed before the copy.
        let vault: Vault
    }

    /// What is in the copy.
    let copied: Copied
    /// The attempts of the orders that the copy lacks.
    let lost: [String]
    /// A moment before the first order.
    let since: Timestamp
    /// The PSPs.
    let psps: SimulatedPSPs
    /// The copy, opened.
    let database: any Database
    /// How much later it is when the books are recovered, in milliseconds.
    let lateMilliseconds: Int64

    /// Times that suit a test.
    static let settings = GatewaySettings(
        rules: OrderTimings(leaseMilliseconds: 480_000, unknownScheduleMilliseconds: [10, 20, 40, 80]),
        pspTimeoutMilliseconds: 120_000,
        pollMilliseconds: 5
    )

    /// Plays the story and lends the copy.
    ///
    /// - Parameters:
    ///   - engine: the database.
    ///   - isUndecided: whether an order is undecided in the copy, and everything is restored an hour later.
    ///   - body: what is done with the copy.
    /// - Throws: what goes wrong.
    static func with(
        _ engine: DatabaseEngine,
        isUndecided: Bool = false,
        _ body: (RestoredBooks) async throws -> Void
    ) async throws {
        try await SimulatedPSPs.with { psps in
            try await DatabaseLocation.with(engine, prepare: .migrated) { location in
                let since = Timestamp(microseconds: Int64(Date.now.timeIntervalSince1970 * 1000) * 1000)
                let copied = try await location.withOpen { try await begin($0, psps, isUndecided: isUndecided) }
                try await location.withCopy { copy in
                    let lost = try await location.withOpen { try await goOn($0, psps, from: copied) }
                    try await copy.withOpen { database in
                        try await body(
                            RestoredBooks(
                                copied: copied,
                                lost: lost,
                                since: since,
                                psps: psps,
                                database: database,
                                lateMilliseconds: isUndecided ? 3_600_000 : 0
                            )
                        )
                    }
                }
            }
        }
    }

    /// Brings the books up to what the PSPs did.
    func recover(isDryRun: Bool = false) async throws -> [RecoveredActivity] {
        let recovery = BooksRecovery(try await ports(), settings: Self.settings, instance: "recovery")
        if !isDryRun { _ = try await recovery.distrust() }
        var found: [RecoveredActivity] = []
        for account in psps.marketplace.accounts {
            found.append(try await recovery.ask(account, since: since, isDryRun: isDryRun))
        }
        return found
    }

    /// Serves until every order is at rest, and answers them.
    func serve() async throws -> [Order] {
        let gateway = Gateway(try await ports(), settings: Self.settings, instance: "two")
        // Nobody lives who has anything in hand.
        _ = try await gateway.releaseLeases()
        return try await Self.driving(gateway) { try await Self.atRest(database) }
    }

    /// The instances that recovery finds to be serving.
    func serving() async throws -> [String] {
        try await BooksRecovery(try await ports(), settings: Self.settings, instance: "recovery").serving()
    }

    /// How many requests that move money the PSPs have seen.
    func requests() async -> Int { await psps.requests() }

    private func ports() async throws -> Gateway.Ports {
        let clock = LateClock(clock: try await DatabaseClock(database), milliseconds: lateMilliseconds)
        var ports = try psps.ports(over: database, clock: clock)
        ports.vault = copied.vault
        return ports
    }

    /// What happens before the copy is made.
    private static func begin(
        _ database: any Database,
        _ psps: SimulatedPSPs,
        isUndecided: Bool
    ) async throws -> Copied {
        try await psps.marketplace.write(to: database)
        let clock = try await DatabaseClock(database)
        let ports = try psps.ports(over: database, clock: clock)
        let gateway = Gateway(ports, settings: settings, instance: "one")
        let (held, paid, refunding) = try await driving(gateway) {
            let placed = (
                try await place("held", .manual, on: gateway), try await place("paid", .automatic, on: gateway),
                try await place("refunding", .automatic, on: gateway)
            )
            _ = try await atRest(database)
            return placed
        }
        let command = Gateway.Orders.remote(
            database: database,
            clock: clock,
            rules: settings.rules,
            capabilities: ports.directory.capabilities,
            instance: "command",
            presentation: .plain
        )
        _ = try await command.request(.refund(RefundRequest(.all)), of: .init(refunding, of: "travel"))
        return Copied(
            held: held,
            paid: paid,
            refunding: refunding,
            undecided: isUndecided ? try await beginUndecided(ports) : nil,
            vault: ports.vault
        )
    }

    /// Places an order on an instance that ends before any request of it leaves.
    private static func beginUndecided(_ ports: Gateway.Ports) async throws -> OrderID {
        var ports = ports
        ports.sender = EndedSender()
        let gateway = Gateway(ports, settings: settings, instance: "ended")
        let placing = Task { _ = try await place("undecided", .automatic, on: gateway) }
        defer { placing.cancel() }
        let end = ContinuousClock.now + .patience
        while ContinuousClock.now < end {
            let orders = try await LedgerCheck.orders(in: ports.database)
            if let order = orders.first(where: { $0.reference == "undecided" }) { return order.id }
            try await Task.sleep(for: .milliseconds(5))
        }
        throw CancellationError()
    }

    /// What is lost: a capture, refunds, and two orders; answers the attempts of these.
    private static func goOn(
        _ database: any Database,
        _ psps: SimulatedPSPs,
        from copied: Copied
    ) async throws -> [String] {
        var ports = try psps.ports(over: database, clock: try await DatabaseClock(database))
        ports.vault = copied.vault
        let gateway = Gateway(ports, settings: settings, instance: "three")
        // The undecided order goes on before its deadline.
        _ = try await gateway.releaseLeases()
        return try await driving(gateway) {
            _ = try await gateway.request(.capture(.whole), of: .init(copied.held, of: "travel"))
            _ = try await gateway.request(.refund(RefundRequest(.all)), of: .init(copied.paid, of: "travel"))
            let lost = [
                try await place("lost and paid", .automatic, on: gateway),
                try await place("lost and held", .manual, on: gateway),
            ]
            let orders = try await atRest(database)
            return orders.filter { lost.contains($0.id) }.flatMap(\.payments).map(\.attempt.id.text)
        }
    }

    private static func place(
        _ reference: String,
        _ capture: OrderTerms.Capture,
        on gateway: Gateway
    ) async throws -> OrderID {
        var checkout = TestCheckout.trip
        for index in checkout.parts.indices { checkout.parts[index].token = "tok_approve" }
        checkout.capture = capture
        checkout.reference = reference
        // Longer than the story takes, shorter than it is late.
        checkout.deadlineMilliseconds = 120_000
        return try await gateway.place(try checkout.draft(), under: TestCheckout.use(reference)).order
    }

    private static func driving<Value>(
        _ gateway: Gateway,
        _ body: () async throws -> Value
    ) async throws -> Value {
        let driver = Task { await gateway.run() }
        let result: Result<Value, any Error>
        do { result = .success(try await body()) } catch { result = .failure(error) }
        driver.cancel()
        await driver.value
        return try result.get()
    }

    /// Every order once all are at rest, or as they are after a while.
    private static func atRest(_ database: any Database) async throws -> [Order] {
        let end = ContinuousClock.now + .patience
        while true {
            let orders = try await LedgerCheck.orders(in: database)
            if orders.allSatisfy(\.isAtRest) || ContinuousClock.now >= end { return orders }
            try await Task.sleep(for: .milliseconds(20))
        }
    }
}

/// The way out of an instance that has ended: nothing leaves, and nobody hears of it.
private struct EndedSender: Sender {
    func send(_ request: WireRequest, _ terms: SendTerms) async -> SendResult {
        // Longer than any test runs.
        try? await Task.sleep(for: .seconds(3600))
        return .failure(reason: "it has ended", mayHaveArrived: false)
    }
}

/// A clock that is ahead of another one.
private struct LateClock: GatewayClock {
    let clock: any GatewayClock
    let milliseconds: Int64

    func now() -> Timestamp { clock.now().adding(milliseconds: milliseconds) }

    func sleep(until time: Timestamp) async throws {
        try await clock.sleep(until: time.adding(milliseconds: -milliseconds))
    }
}
