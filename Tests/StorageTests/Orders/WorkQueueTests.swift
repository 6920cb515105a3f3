import Domain
import SQL
import Storage
import Testing
import TributaryTestKit

@Suite("The work queue", .timeLimit(.minutes(3)))
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

    /// Writes down orders with one operation each, due after so many milliseconds, and that want to wake then.
    private static func insert(
        _ delays: [Int64],
        account: String = "sim-a",
        operations: Int = 1,
        _ sample: inout OrderSample,
        into database: any Database
    ) async throws -> [Order] {
        var orders: [Order] = []
        for delay in delays {
            var order = try sample.order()
            let attempt = order.payments[0].attempts[0]
            let due = sample.now.adding(milliseconds: delay)
            let route = RouteSnapshot(psp: "simulator", pspAccount: account)
            let all = (0..<operations).map { _ in
                var operation = Operation(
                    id: sample.make(),
                    kind: .authorize,
                    amount: 10_000,
                    origin: .gateway,
                    createdAt: sample.now
                )
                operation.dueAt = due
                return operation
            }
            order.payments[0].attempts = [Attempt(id: attempt.id, route: route, operations: all)]
            orders.append(order)
        }
        let times = delays.map { sample.now.adding(milliseconds: $0) }
        try await database.write { [orders] session in
            for (order, time) in zip(orders, times) {
                try OrderWriter.insert(order, .init(), wakeAt: time, in: session)
            }
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
            #expect(try await at(0) == WorkQueue.Batch())
            let first = try await at(3, 1)
            #expect(
                first.operations.map(\.order) == [expected[0].id] && first.orders == [expected[0].id] && first.isFull
            )
            let rest = try await at(3)
            #expect(rest.operations.map(\.order) == expected[1...].map(\.id) && !rest.isFull)
            #expect(rest.operations.map(\.operation) == expected[1...].map { $0.payments[0].attempt.authorization.id })
            #expect(rest.operations.map(\.pspAccount) == ["sim-a", "sim-a"] && rest.orders == expected[1...].map(\.id))
            // Whoever picked them died: nobody has them until the reservation ends, then the next one has them all.
            #expect(try await at(3 + Self.later - 1) == WorkQueue.Batch())
            #expect(Set(try await at(3 + Self.later).operations.map(\.order)) == Set(orders.map(\.id)))
        }
    }

    @Test("gives each thing to one of several instances that pick at once", arguments: DatabaseEngine.allCases)
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
                            !batch.operations.isEmpty || !batch.orders.isEmpty || batches.isEmpty
                        {
                            batches.append(batch)
                        }
                        return batches
                    }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            let left = try await Self.pick(at: now, limit: 1000, from: database)
            let operations = (picked + [left]).flatMap(\.operations).map(\.order)
            #expect(operations.count == 200 && Set(operations) == Set(orders.map(\.id)))
            let woken = (picked + [left]).flatMap(\.orders)
            #expect(woken.count == 200 && Set(woken) == Set(orders.map(\.id)))
        }
    }

    @Test(
        "has room for each PSP account, and for each order, whatever the others' backlog",
        arguments: DatabaseEngine.allCases
    )
    func shares(engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .migrated) { database in
            var sample = OrderSample()
            let now = sample.now
            _ = try await Self.insert(Array(repeating: -5, count: 200), &sample, into: database)
            let others = try await Self.insert([-1, -1], account: "sim-b", &sample, into: database)
            let batch = try await Self.pick(at: now, limit: 16, from: database)
            #expect(batch.operations.count { $0.pspAccount == "sim-a" } == 8 && batch.isFull)
            #expect(batch.operations.filter { $0.pspAccount == "sim-b" }.map(\.order) == others.map(\.id))

            let crowd = try await Self.insert([-9], account: "sim-c", operations: 120, &sample, into: database)
            let lone = try await Self.insert([-2], account: "sim-c", &sample, into: database)
            let first = try await Self.pick(at: now, limit: 64, from: database).operations
            #expect(first.filter { $0.pspAccount == "sim-c" }.map(\.order) == Array(repeating: crowd[0].id, count: 4))
            let second = try await Self.pick(at: now, limit: 64, from: database).operations
            #expect(second.first { $0.pspAccount == "sim-c" }?.order == lone[0].id)
        }
    }

    @Test("is found through its index, however much is due")
    func plan() async throws {
        try await withDatabase(.postgres, prepare: .migrated) { database in
            var sample = OrderSample()
            let now = sample.now
            let order = try await Self.insert([0], &sample, into: database)[0]
            let attempt = order.payments[0].attempt
            try await database.write { session in
                try session.run(
                    """
                    INSERT INTO operation (id, attempt_id, order_id, position, marketplace, kind, amount, origin, state,
                        done_amount, created_at, leases, doubts, due_at, refund_id, is_final, psp_account)
                    SELECT 'op_' || n, \(attempt.id), \(order.id), n, 'travel', 'void', 1, 'gateway', 'open', 0,
                        CAST(\(now) AS BIGINT), 0, 0, CAST(\(now) AS BIGINT) - n, NULL, 1, 'sim-' || (n % 3)
                    FROM generate_series(1, 100000) AS n
                    """
                )
                try session.run("ANALYZE operation")
            }
            let plan = try await database.write { session in
                try session.rows(
                    "EXPLAIN \(WorkQueue.pick(operationsOf: "travel/sim-1", at: now, limit: 85, session.dialect))"
                ).map { try $0.text("QUERY PLAN") }
            }
            #expect(plan.contains { $0.contains("Index Scan using operation_queue") }, "\(plan)")
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
            let failing = try #require(orders.first)
            let operation = failing.payments[0].attempt.authorization.id
            _ = try await Self.pick(at: now, limit: 9, from: database)
            let leased = orders[1].payments[0].attempt.authorization.id
            let released = try await database.write { session in
                _ = try StepFailures.record(
                    StepFailure(.other, "It failed."),
                    of: [operation],
                    in: failing.id,
                    at: now,
                    in: session
                )
                try session.run(
                    """
                    UPDATE operation SET leased_by = 'dead', due_at = \(now.adding(milliseconds: 60_000))
                    WHERE id = \(leased)
                    """
                )
                return try WorkQueue.releaseAll(at: now, in: session)
            }
            #expect(released == 1)
            let batch = try await Self.pick(at: now, limit: 9, from: database)
            #expect(Set(batch.operations.map(\.order)) == Set(orders[1...].map(\.id)) && batch.orders.count == 3)
        }
    }
}
