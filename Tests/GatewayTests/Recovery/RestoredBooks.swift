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

    /// Times that suit a test.
    static let settings = GatewaySettings(
        rules: OrderTimings(leaseMilliseconds: 60_000, unknownScheduleMilliseconds: [10, 20, 40, 80]),
        pspTimeoutMilliseconds: 15_000,
        pollMilliseconds: 5
    )

    /// Plays the story and lends the copy.
    static func with(_ engine: DatabaseEngine, _ body: (RestoredBooks) async throws -> Void) async throws {
        try await SimulatedPSPs.with { psps in
            try await DatabaseLocation.with(engine, prepare: .migrated) { location in
                let since = Timestamp(microseconds: Int64(Date.now.timeIntervalSince1970 * 1000) * 1000)
                let copied = try await location.withOpen { try await begin($0, psps) }
                try await location.withCopy { copy in
                    let lost = try await location.withOpen { try await goOn($0, psps, from: copied) }
                    try await copy.withOpen { database in
                        try await body(
                            RestoredBooks(copied: copied, lost: lost, since: since, psps: psps, database: database)
                        )
                    }
                }
            }
        }
    }

    /// Brings the books up to what the PSPs did.
    func recover(isDryRun: Bool = false) async throws -> [RecoveredActivity] {
        let recovery = Recovery(try await ports(), settings: Self.settings, instance: "recovery")
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
        return try await Self.driving(gateway) { try await Self.atRest(database) }
    }

    /// How many requests that move money the PSPs have seen.
    func requests() async -> Int { await psps.requests() }

    private func ports() async throws -> Gateway.Ports {
        try psps.ports(over: database, clock: try await DatabaseClock(database))
    }

    /// What happens before the copy is made.
    private static func begin(_ database: any Database, _ psps: SimulatedPSPs) async throws -> Copied {
        try await psps.marketplace.write(to: database)
        let clock = try await DatabaseClock(database)
        let ports = try psps.ports(over: database, clock: clock)
        let gateway = Gateway(ports, settings: settings, instance: "one")
        let copied = try await driving(gateway) {
            let copied = Copied(
                held: try await place("held", .manual, on: gateway),
                paid: try await place("paid", .automatic, on: gateway),
                refunding: try await place("refunding", .automatic, on: gateway)
            )
            _ = try await atRest(database)
            return copied
        }
        let command = Gateway.Orders.remote(
            database: database,
            clock: clock,
            rules: settings.rules,
            capabilities: ports.directory.capabilities,
            instance: "command",
            presentation: .plain
        )
        _ = try await command.request(.refund(RefundRequest(.all)), of: .init(copied.refunding, of: "travel"))
        return copied
    }

    /// What is lost: a capture, refunds, and two orders; answers the attempts of these.
    private static func goOn(
        _ database: any Database,
        _ psps: SimulatedPSPs,
        from copied: Copied
    ) async throws -> [String] {
        let ports = try psps.ports(over: database, clock: try await DatabaseClock(database))
        let gateway = Gateway(ports, settings: settings, instance: "three")
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
        let end = ContinuousClock.now + .seconds(60)
        while true {
            let orders = try await LedgerCheck.orders(in: database)
            if orders.allSatisfy(\.isAtRest) || ContinuousClock.now >= end { return orders }
            try await Task.sleep(for: .milliseconds(20))
        }
    }
}
