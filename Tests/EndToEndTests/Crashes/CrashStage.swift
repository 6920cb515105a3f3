import Domain
import Glibc
import PSPSimulator
import StrictJSON
import Testing
import TributaryTestKit

/// Places a scenario's order with gateways that die, and carries it on with gateways that do not.
struct CrashStage: Sendable {
    /// More programs at once would only wait for each other.
    private static let turnstile = Turnstile(places: 3)
    /// How much longer than a call a lease is: more than the half minute that it has to be, by as much as a busy machine may
    /// pause between the two.
    private static let leaseMarginMilliseconds: Int64 = 60_000
    let scenario: CrashScenario
    let bazaar: Bazaar
    let simulators: [RunningSimulator]
    let databases: BazaarDatabase

    /// What came of a run.
    struct Result: Sendable {
        /// Whether the gateway died.
        var died: Bool
        /// What the order came to.
        var summary: OrderSummary
    }

    /// Places the order in a database of its own with a gateway that dies at `point`, if there is such a point, and
    /// then, as the checkout would, asks others again until one says what became of it.
    func run(_ point: CrashPoint?) async throws -> Result {
        try await Self.turnstile.pass {
            try await databases.copy { location in
                try await Programs.with { programs in
                    let prefix = "run-\(UInt64.random(in: .min ... .max))-"
                    let first = try programs.start(
                        .crashingGateway,
                        [instructions(location, prefix, instance: 0, point)]
                    )
                    let ending = try await first.ended(within: .patience)
                    var last = first
                    if ending == .signaled(SIGKILL) {
                        last = try programs.start(
                            .crashingGateway,
                            [instructions(location, prefix, instance: 1, nil)]
                        )
                    }
                    let end = try await last.ended(within: .patience)
                    try #require(end == .exited(0), "\(label(point)): \(last.errors.text)")
                    let summary = try await check(location, prefix, point, answer: last.output.whole())
                    return Result(died: ending != .exited(0), summary: summary)
                }
            }
        }
    }

    private var leaseMilliseconds: Int64 { scenario.pspTimeoutMilliseconds + Self.leaseMarginMilliseconds }

    private func instructions(
        _ location: DatabaseLocation,
        _ prefix: String,
        instance: Int64,
        _ point: CrashPoint?
    ) -> String {
        JSON.object(omittingAbsent: [
            "database": .string(location.text), "instance": .string("instance-\(instance)"),
            "account_prefix": .string(prefix), "lease_ms": .integer(leaseMilliseconds),
            // Who takes over is ahead by more than a lease, and by less than the time in which to decide.
            "ahead_ms": .integer(instance * (leaseMilliseconds + 3000)),
            "psp_timeout_ms": .integer(scenario.pspTimeoutMilliseconds),
            "die_at": point.map { .string($0.moment.rawValue) },
            "die_at_number": point.map { .integer(Int64($0.number)) }, "key": "one-tap",
            "order": scenario.basket.instruction(in: bazaar),
        ]).text
    }

    /// Everything that must be true at rest, whatever happened on the way.
    private func check(
        _ location: DatabaseLocation,
        _ prefix: String,
        _ point: CrashPoint?,
        answer: String
    ) async throws -> OrderSummary {
        let (orders, complaints) = try await location.withOpen(connections: 1) { database in
            (
                try await LedgerCheck.orders(in: database),
                try await LedgerCheck.complaints(about: database, rules: OrderTimings())
            )
        }
        let order = try #require(orders.first)
        #expect(orders.count == 1)
        #expect(order.isAtRest, "\(label(point))")
        #expect(complaints == [], "\(label(point))")
        let books = await PSPBooks.read(simulators, prefix: prefix)
        #expect(books.differences(from: orders) == [], "\(label(point))")
        let told = try JSON.parse(text: answer)["decision"]?.stringValue
        #expect(told == order.decision.state.rawValue, "\(label(point))")
        return OrderSummary(order)
    }

    private func label(_ point: CrashPoint?) -> String { point.map { "died \($0)" } ?? "undisturbed" }
}
