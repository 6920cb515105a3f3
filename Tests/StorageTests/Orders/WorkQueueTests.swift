import Domain
import SQL
import Storage
import Testing
import TributaryTestKit

@Suite("The work queue", .timeLimit(.minutes(10)))
struct WorkQueueTests {
    private static let later: Int64 = 10_000

    /// Picks what is due, as an instance does.
    private static func pick(
        at now: Timestamp,
        limit: Int,
        from database: any Database
    ) async throws -> WorkQueue.Batch {
        let shares = try await database.read { try WorkQueue.shares(at: now, limit: limit, in: $0) }
        return try await database.write { session in
            try WorkQueue.reserve(
                shares,
                dueAt: now,
                until: now.adding(milliseconds: later),
                limit: limit,
                in: session
            )
        }
    }

    /// Writes down orders with one operation each, due after so many milliseconds.
    private static func insert(
        _ delays: [Int64],
        account: String = "sim-a",
        _ sample: inout OrderSample,
        into database: any Database
    ) async throws -> [Order] {
        var orders: [Order] = []
        for delay in delays {
            var order = try sample.order()
            let attempt = order.payments[0].attempts[0]
            let due = sample.now.adding(milliseconds: delay)
            let route = RouteSnapshot(psp: "simulator", pspAccount: account)
            var operation = attempt.authorization
            operation.dueAt = due
            order.payments[0].attempts = [Attempt(id: attempt.id, route: route, operations: [operation])]
            orders.append(order)
        }
        try await database.write { [orders] session in
            for order in orders { try OrderWriter.insert(order, .init(), wakeAt: nil, in: session) }
        }
        return orders
    }

    @Test(
        "offers what is due, the longest due first, once until its reservation ends",
        arguments: DatabaseEngine.allCases
    )
    func due(engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .migrated) { database in
            var sample = OrderSample()
            let now = sample.now
            let orders = try await Self.insert([3, 1, 2], &sample, into: database)
            let expected = [orders[1], orders[2], orders[0]]
            func at(_ milliseconds: Int64, _ limit: Int = 9) async throws -> WorkQueue.Batch {
                try await Self.pick(at: now.adding(milliseconds: milliseconds), limit: limit, from: database)
            }
            func next() async throws -> Timestamp? { try await database.read { try DueWork.next(in: $0) } }
            #expect(try await at(0) == WorkQueue.Batch())
            #expect(try await next() == now.adding(milliseconds: 1))
            let first = try await at(3, 1)
            #expect(first.orders.map(\.id) == [expected[0].id] && first.isFull)
            #expect(first.orders.map(\.at) == [now.adding(milliseconds: 1)])
            #expect(try await next() == now.adding(milliseconds: 2))
            let rest = try await at(3)
            #expect(rest.orders.map(\.id) == expected[1...].map(\.id) && !rest.isFull)
            // Whoever picked them died: nobody has them until the reservation ends, then the next one has them all.
            #expect(try await next() == now.adding(milliseconds: 3 + Self.later))
            #expect(try await at(3 + Self.later - 1) == WorkQueue.Batch())
            #expect(Set(try await at(3 + Self.later).orders.map(\.id)) == Set(orders.map(\.id)))
        }
    }

    @Test("gives each order to one of several instances that pick at once", arguments: DatabaseEngine.allCases)
    func several(engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .migrated) { database in
            var sample = OrderSample()
            let now = sample.now
            let orders = try await Self.insert(Array(repeating: 0, count: 200), &sample, into: database)
            let picked = try await withThrowingTaskGroup(of: [WorkQueue.Batch].self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        var batches: [WorkQueue.Batch] = []
                        while case let batch = try await Self.pick(at: now, limit: 16, from: database),
                            !batch.orders.isEmpty || batches.isEmpty
                        {
                            batches.append(batch)
                        }
                        return batches
                    }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            let left = try await Self.pick(at: now, limit: 1000, from: database)
            let all = (picked + [left]).flatMap(\.orders).map(\.id)
            #expect(all.count == 200 && Set(all) == Set(orders.map(\.id)))
        }
    }

    @Test("has room for each PSP account, whatever the others' backlog", arguments: DatabaseEngine.allCases)
    func shares(engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .migrated) { database in
            var sample = OrderSample()
            let now = sample.now
            let many = try await Self.insert(Array(repeating: -5, count: 200), &sample, into: database)
            let others = try await Self.insert([-1, -1], account: "sim-b", &sample, into: database)
            let batch = try await Self.pick(at: now, limit: 16, from: database)
            #expect(batch.orders.count { order in many.contains { $0.id == order.id } } == 8 && batch.isFull)
            #expect(batch.orders.map(\.id).suffix(2) == others.map(\.id))
        }
    }

    @Test("leads to an order no later than it wants to be looked at, and is gone once it is at rest")
    func schedules() async throws {
        try await withDatabase(.sqlite, prepare: .migrated) { database in
            var sample = OrderSample()
            let now = sample.now
            var order = try await Self.insert([60_000], &sample, into: database)[0]
            func step(_ delay: Int64?, leasedBy holder: String? = nil) async throws -> Int64? {
                let before = order
                order.version += 1
                order.payments[0].attempts[0].operations[0].dueAt = delay.map { now.adding(milliseconds: $0) }
                order.payments[0].attempts[0].operations[0].leasedBy = holder
                return try await database.write { [order] session in
                    try OrderWriter.update(order, from: before, .init(), answer: nil, wakeAt: nil, in: session)
                    let rows = try session.rows("SELECT at FROM work WHERE order_id = \(order.id)")
                    return try rows.first.map { try $0.integer("at") - now.microseconds }
                }
            }
            // Later than what is stored: that may stay. Earlier: it must not.
            #expect(try await step(90_000) == 60_000_000)
            #expect(try await step(30_000) == 30_000_000)
            // Behind a step that looked at what was due, the stored time is the wanted one.
            #expect(try await step(-1000) == -1_000_000)
            #expect(try await step(70_000) == 70_000_000)
            #expect(try await step(80_000, leasedBy: "one") == 80_000_000)
            #expect(try await step(nil) == nil)
            #expect(try await step(5000) == 5_000_000)
        }
    }

    @Test("is found through its index, however much is due")
    func plan() async throws {
        try await withDatabase(.postgres, prepare: .migrated) { database in
            let now = OrderSample().now
            try await database.write { session in
                try session.run(
                    """
                    INSERT INTO work (order_id, marketplace, share, at, in_hand)
                    SELECT 'ord_' || n, 'travel', 'travel/sim-' || (n % 3), CAST(\(now) AS BIGINT) - n, 0
                    FROM generate_series(1, 100000) AS n
                    """
                )
                try session.run("ANALYZE work")
            }
            let plan = try await database.write { session in
                try session.rows(
                    "EXPLAIN \(WorkQueue.pick(ordersOf: "travel/sim-1", at: now, limit: 85, session.dialect))"
                ).map { try $0.text("QUERY PLAN") }
            }
            #expect(plan.contains { $0.contains("Index Scan using work_queue") }, "\(plan)")
            #expect(!plan.contains { $0.contains("Sort") || $0.contains("Seq Scan") }, "\(plan)")
            let batch = try await Self.pick(at: now, limit: 256, from: database)
            #expect(batch.isFull)
        }
    }

    @Test(
        "is released by an embedded database's one owner, but for what has failed",
        arguments: DatabaseEngine.allCases
    )
    func release(engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .migrated) { database in
            var sample = OrderSample()
            let now = sample.now
            let orders = try await Self.insert([-1, -1, -1], &sample, into: database)
            let (failing, leased) = (orders[0], orders[1])
            _ = try await Self.pick(at: now, limit: 9, from: database)
            let released = try await database.write { session in
                _ = try StepFailures.record(StepFailure(.other, "It failed."), of: failing.id, at: now, in: session)
                var held = leased
                held.version += 1
                held.payments[0].attempts[0].operations[0].leasedBy = "dead"
                held.payments[0].attempts[0].operations[0].dueAt = now.adding(milliseconds: 60_000)
                try OrderWriter.update(held, from: leased, .init(), answer: nil, wakeAt: nil, in: session)
                return try WorkTable.releaseAll(at: now, in: session)
            }
            #expect(released == 1)
            let batch = try await Self.pick(at: now, limit: 9, from: database)
            #expect(Set(batch.orders.map(\.id)) == Set(orders[1...].map(\.id)))
        }
    }
}
