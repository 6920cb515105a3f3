import Domain
import SQL
import Storage
import Testing
import TributaryTestKit

@Suite("Who waits for an order elsewhere", .timeLimit(.minutes(10)))
struct OrderWaiterTests {
    private static func isAwaited(
        _ order: OrderID,
        by instance: String,
        at time: Timestamp,
        _ database: any Database
    ) async throws -> Bool? {
        try await database.write { session in
            try OrderReader.lockToStep(order, by: instance, at: time, in: session)?.isAwaited
        }
    }

    @Test(
        "is seen by the step of another instance, until it runs out or is withdrawn",
        arguments: DatabaseEngine.allCases
    )
    func awaited(engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .migrated) { database in
            var sample = OrderSample()
            let (order, other, now) = (try sample.order(), try sample.order(), sample.now)
            let waiters = [1, 2].map { number in
                OrderWaiterTable.Waiter(
                    for: order.id,
                    at: "one",
                    number: number,
                    expiresAt: now.adding(milliseconds: number * 1000)
                )
            }
            try await database.write { session in
                try OrderWriter.insert(order, .init(), wakeAt: nil, in: session)
                try OrderWriter.insert(other, .init(), wakeAt: nil, in: session)
                for waiter in waiters { try OrderWaiterTable.insert(waiter, in: session) }
            }
            #expect(try await Self.isAwaited(order.id, by: "two", at: now, database) == true)
            #expect(try await Self.isAwaited(order.id, by: "one", at: now, database) == false)
            #expect(try await Self.isAwaited(other.id, by: "two", at: now, database) == false)
            #expect(try await Self.isAwaited(OrderID(bits: 1), by: "two", at: now, database) == nil)
            #expect(
                try await Self.isAwaited(order.id, by: "two", at: now.adding(milliseconds: 2000), database) == false
            )
            // What is withdrawn late withdraws nothing newer.
            try await database.write { try OrderWaiterTable.delete(waiters[0], in: $0) }
            #expect(try await Self.isAwaited(order.id, by: "two", at: now, database) == true)
            try await database.write { try OrderWaiterTable.delete(waiters[1], in: $0) }
            #expect(try await Self.isAwaited(order.id, by: "two", at: now, database) == false)
        }
    }

    @Test("is forgotten when it has run out, and not before", arguments: DatabaseEngine.allCases)
    func expired(engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .migrated) { database in
            let (order, now) = (OrderID(bits: 1), OrderSample().now)
            try await database.write { session in
                for seconds: Int64 in [-1, 0, 1] {
                    let time = now.adding(milliseconds: seconds * 1000)
                    let waiter = OrderWaiterTable.Waiter(for: order, at: "one", number: seconds, expiresAt: time)
                    try OrderWaiterTable.insert(waiter, in: session)
                }
                try OrderWaiterTable.deleteExpired(at: now, in: session)
            }
            let left = try await database.read { session in
                try session.rows("SELECT number FROM order_waiter").map { try $0.integer("number") }
            }
            #expect(left == [1])
        }
    }

    @Test("is notified of it, where the database has notifications", arguments: DatabaseEngine.allCases)
    func notified(engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .migrated) { database in
            let order = OrderID(bits: 1)
            let notifications = database.notifications(on: OrderWaiterTable.channel)
            #expect((notifications != nil) == (engine == .postgres))
            var heard = notifications?.makeAsyncIterator()
            if heard != nil { #expect(await heard?.next() == .listening) }
            try await database.write { try OrderWaiterTable.notify(of: order, in: $0) }
            if heard != nil { #expect(await heard?.next() == .said(order.text)) }
        }
    }
}
