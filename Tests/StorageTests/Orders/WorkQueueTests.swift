import Domain
import SQL
import Storage
import Testing
import TributaryTestKit

@Suite("The work queue", .timeLimit(.minutes(1)))
struct WorkQueueTests {
    @Test("has what is due, the longest due first", arguments: DatabaseEngine.allCases)
    func due(engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .migrated) { database in
            var sample = OrderSample()
            let now = sample.now
            var orders: [Order] = []
            for delay: Int64 in [3, 1, 2] {
                var order = try sample.order()
                order.payments[0].attempts[0].operations[0].dueAt = now.adding(milliseconds: delay)
                orders.append(order)
                try await database.write { [order] session in
                    try OrderWriter.insert(order, .init(), wakeAt: now.adding(milliseconds: delay), in: session)
                }
            }
            var resting = try sample.order()
            resting.payments[0].attempts[0].operations[0].dueAt = nil
            try await database.write { [resting] session in
                try OrderWriter.insert(resting, .init(), wakeAt: nil, in: session)
            }
            let (first, expected) = (orders[1].id, [orders[1], orders[2], orders[0]])
            try await database.read { session throws in
                func operations(_ milliseconds: Int64, _ limit: Int) throws -> [WorkQueue.DueOperation] {
                    try WorkQueue.operations(dueAt: now.adding(milliseconds: milliseconds), limit: limit, in: session)
                }
                func found(_ milliseconds: Int64, _ limit: Int) throws -> [OrderID] {
                    try WorkQueue.orders(dueAt: now.adding(milliseconds: milliseconds), limit: limit, in: session)
                }
                #expect(try operations(0, 9).isEmpty)
                #expect(try operations(3, 9).map(\.order) == expected.map(\.id))
                #expect(
                    try operations(3, 9).map(\.operation) == expected.map { $0.payments[0].attempt.authorization.id }
                )
                #expect(try operations(2, 9).count == 2)
                #expect(try operations(3, 1).map(\.order) == [first])
                #expect(try found(0, 9) == [])
                #expect(try found(3, 9) == expected.map(\.id))
                #expect(try found(3, 2) == expected.prefix(2).map(\.id))
            }
        }
    }
}
