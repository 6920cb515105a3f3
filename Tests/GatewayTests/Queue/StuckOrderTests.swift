import Domain
import Gateway
import SQL
import Storage
import Testing
import TributaryTestKit

@Suite("A stuck order", .timeLimit(.minutes(10)))
struct StuckOrderTests {
    /// Places an order whose first sending is lost, and answers it once it is due again, behind others.
    private static func healthy(_ harness: GatewayHarness, _ instance: GatewayInstance) async throws -> Order {
        await harness.psp.script("tok_airline", .authorize, .requestLost)
        let checkout = TestCheckout([.init("airline", 30_000)])
        let placing = Task { try await instance.place(checkout, key: "healthy") }
        let id = try await harness.order(placedUnder: "healthy")
        let order = try await harness.order(id) { $0.payments[0].attempt.authorization.leasedBy == nil }
        placing.cancel()
        _ = await placing.result
        return order
    }

    private static func items(_ harness: GatewayHarness) async throws -> [StepFailures.Item] {
        try await harness.database.read { try StepFailures.list(marketplace: nil, limit: 1000, in: $0) }
    }

    @Test(
        "holds up nobody, however many of them come first, and is told a person",
        arguments: DatabaseEngine.allCases,
        StuckOrder.allCases
    )
    func many(engine: DatabaseEngine, kind: StuckOrder) async throws {
        try await GatewayHarness.with(engine, clock: ManualClock()) { harness in
            let lines = LogLines()
            let instance = harness.instance("one", logger: lines.logger)
            let order = try await Self.healthy(harness, instance)
            let long = order.createdAt.adding(milliseconds: -60_000)
            let stuck = try await kind.insert(300, like: order, dueAt: long, into: harness.database)
            harness.clock.advance(milliseconds: 5)
            try await instance.gateway.poll()
            let carried = try await harness.order(order.id) { $0.payments[0].attempt.authorization.state == .succeeded }
            #expect(carried.payments[0].attempt.authorization.leases == 2)
            // An order may be due twice: for what it waits for, and for its operation.
            #expect(lines.count <= 2 * 300, "\(lines.all.prefix(3))")
            let items = try await Self.items(harness)
            #expect(Set(items.map(\.order)) == Set(stuck.map(\.text)))
            #expect(kind.reasons.isSuperset(of: items.map(\.kind)), "\(Set(items.map(\.kind)))")
            #expect(items.allSatisfy { $0.failures == 1 && !$0.detail.isEmpty }, "\(items.prefix(2))")

            // Half a minute at the pace of a gateway: each is tried again twice or three times, not at every beat.
            let seen = lines.count
            for _ in 0..<30 {
                harness.clock.advance(milliseconds: 1000)
                try await instance.gateway.poll()
            }
            #expect(lines.count - seen <= 2 * 3 * 300)
            #expect(try await Self.items(harness).allSatisfy { (2...4).contains($0.failures) })
        }
    }

    @Test(
        "with hundreds of operations fills nobody else's room",
        arguments: DatabaseEngine.allCases,
        [StuckOrder.unreadable, .accountless, .ruleBroken]
    )
    func crowded(engine: DatabaseEngine, kind: StuckOrder) async throws {
        try await GatewayHarness.with(engine, clock: ManualClock()) { harness in
            let lines = LogLines()
            let instance = harness.instance("one", logger: lines.logger)
            let order = try await Self.healthy(harness, instance)
            let long = order.createdAt.adding(milliseconds: -60_000)
            let stuck = try await kind.insert(1, operations: 300, like: order, dueAt: long, into: harness.database)
            harness.clock.advance(milliseconds: 5)
            try await instance.gateway.poll()
            let carried = try await harness.order(order.id) { $0.payments[0].attempt.authorization.state == .succeeded }
            #expect(carried.payments[0].attempt.authorization.leases == 2)
            #expect(Set(try await Self.items(harness).map(\.order)) == [stuck[0].text])
            #expect(try await Self.items(harness).count == 1)
            #expect(lines.count <= (kind == .ruleBroken ? 600 : 40), "\(lines.count)")
        }
    }

    @Test("waits longer each time, up to an hour, and is forgotten once it is well", arguments: DatabaseEngine.allCases)
    func pauses(engine: DatabaseEngine) async throws {
        try await GatewayHarness.with(engine, clock: ManualClock()) { harness in
            let instance = harness.instance("one")
            let order = try await Self.healthy(harness, instance)
            let id = order.id
            try await harness.database.write { session in
                try session.run("UPDATE orders SET policy = 'nonsense' WHERE id = \(id)")
            }
            var pauses: [Int64] = []
            for _ in 0..<8 {
                harness.clock.advance(milliseconds: 10)
                try await instance.gateway.poll()
                let item = try #require(try await Self.items(harness).first)
                let retryAt = try #require(item.retryAt)
                pauses.append(retryAt.milliseconds(since: harness.clock.now()))
                harness.clock.advance(to: Timestamp(microseconds: retryAt.microseconds - 1))
                try await instance.gateway.poll()
                #expect(try await Self.items(harness).first?.failures == Int64(pauses.count))
                harness.clock.advance(to: retryAt)
            }
            #expect(pauses.first == 1000 && pauses.last == 3_600_000 && pauses == pauses.sorted())
            try await harness.database.write { session in
                try session.run("UPDATE orders SET policy = \(#"{"type":"all_or_nothing"}"#) WHERE id = \(id)")
            }
            harness.clock.advance(milliseconds: 3_600_000)
            try await instance.gateway.poll()
            _ = try await harness.order(id) { $0.payments[0].attempt.authorization.leasedBy == nil }
            #expect(try await Self.items(harness) == [])
        }
    }

    @Test("is charged nothing while the whole database is away", arguments: DatabaseEngine.allCases)
    func away(engine: DatabaseEngine) async throws {
        try await GatewayHarness.with(engine, clock: ManualClock()) { harness in
            let lines = LogLines()
            let instance = harness.instance("one", logger: lines.logger)
            let order = try await Self.healthy(harness, instance)
            harness.clock.advance(milliseconds: 5)
            instance.database.cut()
            await #expect(throws: SQLError.unavailable("cut off by the test")) { try await instance.gateway.poll() }
            instance.database.mend()
            #expect(try await Self.items(harness) == [])
            try await instance.gateway.poll()
            _ = try await harness.order(order.id) { $0.payments[0].attempt.authorization.state == .succeeded }
            #expect(lines.count == 0, "\(lines.all)")
        }
    }
}
