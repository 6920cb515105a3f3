import Domain
import Gateway
import SQL
import Testing
import TributaryTestKit

@Suite("Real simulators over real connections", .timeLimit(.minutes(10)))
struct SimulatedTests {
    /// A timeout that no answer misses because the machine is busy: a refusal that comes too late may have been none,
    /// and leaves another state than the one expected.
    private static let settings = GatewaySettings(
        rules: OrderTimings(leaseMilliseconds: 480_000, unknownScheduleMilliseconds: [10, 20, 40, 80]),
        pspTimeoutMilliseconds: 120_000,
        pollMilliseconds: 5
    )

    @Test("orders and books agree, whatever the simulators do", arguments: DatabaseEngine.allCases)
    func agree(engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .migrated) { database in
            try await SimulatedPSPs.with { psps in
                try await psps.marketplace.write(to: database)
                let clock = try await DatabaseClock(database)
                let gateway = Gateway(
                    try psps.ports(over: database, clock: clock),
                    settings: Self.settings,
                    instance: "one"
                )
                let driver = Task { await gateway.run() }
                try await Self.placeAll(on: gateway)
                let orders = try await Self.atRest(database)
                driver.cancel()
                await driver.value
                #expect(orders.count == SimulatedCase.all.count)
                for expected in SimulatedCase.all {
                    let order = try #require(orders.first { $0.reference == expected.description })
                    let text = HarnessFailure.text(order)
                    #expect(order.status == expected.status, "\(expected): \(text)")
                    #expect(order.payments.map(\.state) == expected.states, "\(expected): \(text)")
                }
                let stored = try await LedgerCheck.complaints(about: database, rules: Self.settings.rules)
                #expect(stored == [])
                let booked = await psps.complaints(comparing: orders)
                #expect(booked == [])
            }
        }
    }

    private static func placeAll(on gateway: Gateway) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for expected in SimulatedCase.all {
                group.addTask {
                    var checkout = TestCheckout.trip
                    for (index, token) in expected.tokens.enumerated() { checkout.parts[index].token = token }
                    checkout.policy = expected.policy
                    checkout.reference = expected.description
                    let use = TestCheckout.use(expected.description)
                    _ = try await gateway.place(try checkout.draft(), under: use)
                }
            }
            try await group.waitForAll()
        }
    }

    /// Every order once all are at rest, or as they are after a while.
    private static func atRest(_ database: any Database) async throws -> [Order] {
        let end = ContinuousClock.now + .patience
        while true {
            let orders = try await LedgerCheck.orders(in: database)
            if orders.allSatisfy(\.isAtRest) || ContinuousClock.now >= end { return orders }
            try await Task.sleep(for: .milliseconds(50))
        }
    }
}
