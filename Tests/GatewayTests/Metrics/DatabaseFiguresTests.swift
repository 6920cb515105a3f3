import Domain
import Logging
import SQL
import Storage
import Testing
import TributaryTestKit

@testable import Gateway

@Suite("What is told of the database", .timeLimit(.minutes(10)))
struct DatabaseFiguresTests {
    private struct Refused: Error {}

    @Test("transactions are counted by what became of them", arguments: DatabaseEngine.allCases)
    func transactions(_ engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .travel) { base in
            let registry = MetricRegistry()
            let database = MeasuredDatabase(base, for: registry)
            _ = try await database.read { session in try MarketplaceTable.all(in: session) }
            await #expect(throws: Refused.self) { try await database.write { _ in throw Refused() } }
            await #expect(throws: SQLError.self) { try await database.write { try $0.run("SELECT nothing FROM here") } }
            let text = try PrometheusText(registry.text)
            func count(_ kind: String, _ result: String) -> Double? {
                text.value("tributary_database_transactions_total", ["kind": kind, "result": result])
            }
            #expect(count("read", "done") == 1)
            #expect((count("write", "refused"), count("write", "broken")) == (1, 1))
            let writes = ["kind": "write"]
            #expect(text.value("tributary_database_transaction_duration_seconds_count", writes) == 2)
            #expect(text.value("tributary_database_transactions_in_flight") == 0)
        }
    }

    @Test("holds that lapse within a day are added up, and orders that are due", arguments: DatabaseEngine.allCases)
    func holds(_ engine: DatabaseEngine) async throws {
        try await GatewayHarness.with(engine) { harness in
            var checkout = TestCheckout.trip
            checkout.capture = .manual
            let (_, order) = try await harness.run(checkout)
            #expect(order.status == .authorized)
            func sample() async throws -> OperationalSample {
                let now = harness.clock.now()
                return try await harness.database.read { session in try OperationalSample.read(at: now, in: session) }
            }
            let first = try await sample()
            #expect(first.lapsing.isEmpty && first.openOrders == 1 && first.work.count == 0)
            let lapse = try #require(order.payments.compactMap(\.attempt.expiresAt).min())
            let warned = lapse.adding(milliseconds: -3_600_000)
            harness.clock.advance(milliseconds: warned.milliseconds(since: harness.clock.now()))
            let due = try await sample()
            #expect(due.work.count == 1 && due.work.oldest.map { $0 <= warned } == true)
            let instance = harness.instance("two")
            try await instance.driving { _ = try await harness.order(order.id) { $0.isExpiryTold } }
            let second = try await sample()
            let held = order.payments.reduce(0) { $0 + $1.held }
            #expect(second.lapsing.values.map(\.amount) == [held])
            #expect(second.lapsing.values.map(\.count) == [Int64(order.payments.count)])
        }
    }

    @Test("breakers and budgets are told as they are")
    func health() throws {
        let clock = ManualClock()
        let health = AccountHealth(.init(breaker: .init(failures: 1, pauseMilliseconds: 1000)))
        let figures = AccountFigures(health: health, clock: clock)
        func state() throws -> [String] {
            let registry = MetricRegistry()
            registry.add(figures)
            let text = try PrometheusText(registry.text)
            return CircuitBreaker.Standing.allCases.map(\.rawValue).filter {
                text.value("tributary_psp_breaker_state", ["psp_account": "m/a", "state": $0]) == 1
            }
        }
        #expect(try state() == [])
        health.note("m/a", didAnswer: true, at: clock.now())
        #expect(try state() == ["closed"])
        health.note("m/a", didAnswer: false, at: clock.now())
        #expect(try state() == ["open"])
        clock.advance(milliseconds: 1000)
        #expect(try state() == ["half_open"])
        health.note("m/a", didAnswer: true, at: clock.now())
        #expect(try state() == ["closed"])
    }
}
