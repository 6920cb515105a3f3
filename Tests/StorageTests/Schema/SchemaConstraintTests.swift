import Domain
import SQL
import Storage
import Testing
import TributaryTestKit

@Suite("The schema refuses", .timeLimit(.minutes(10)))
struct SchemaConstraintTests {
    /// A change to the stored order, and what each engine says to it.
    struct Breach: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let statement: SQL
        let errors: [DatabaseEngine: SQLError]

        init(_ description: String, _ statement: SQL, sqlite: SQLError, postgres: SQLError) {
            testDescription = description
            self.statement = statement
            errors = [.sqlite: sqlite, .postgres: postgres]
        }
    }

    static let breaches = [
        Breach(
            "an amount of zero",
            "UPDATE payment SET amount = 0",
            sqlite: .constraintViolation(constraint: "amount > 0"),
            postgres: .constraintViolation(constraint: "payment_amount_check")
        ),
        Breach(
            "contexts above the total",
            "UPDATE orders SET payable = amount + 1",
            sqlite: .constraintViolation(constraint: "payable <= amount"),
            postgres: .constraintViolation(constraint: "orders_check")
        ),
        Breach(
            "more captured than authorized",
            "UPDATE payment SET captured = 1",
            sqlite: .constraintViolation(constraint: "captured <= authorized AND refunded <= captured"),
            postgres: .constraintViolation(constraint: "payment_check")
        ),
        Breach(
            "more given back than captured",
            "UPDATE payment SET authorized = 2, captured = 1, refunded = 2",
            sqlite: .constraintViolation(constraint: "captured <= authorized AND refunded <= captured"),
            postgres: .constraintViolation(constraint: "payment_check")
        ),
        Breach(
            "a decision without its time",
            "UPDATE orders SET decision = 'accepted'",
            sqlite: .constraintViolation(constraint: "(decision = 'pending') = (decided_at IS NULL)"),
            postgres: .constraintViolation(constraint: "orders_check1")
        ),
        Breach(
            "a word that is none of ours",
            "UPDATE payment SET reroute = 'steal'",
            sqlite: .constraintViolation(constraint: "reroute IN ('never', 'if_not_sent', 'if_refused')"),
            postgres: .constraintViolation(constraint: "payment_reroute_check")
        ),
        Breach(
            "a payment of no order",
            "UPDATE payment SET order_id = 'ord_none'",
            sqlite: .constraintViolation(constraint: "FOREIGN KEY"),
            postgres: .constraintViolation(constraint: "payment_order_id_fkey")
        ),
    ]

    @Test("what breaks a rule, though the code would let it through", arguments: breaches, DatabaseEngine.allCases)
    func breach(_ breach: Breach, engine: DatabaseEngine) async throws {
        let expected = try #require(breach.errors[engine])
        try await withDatabase(engine, prepare: .migrated) { database in
            var sample = OrderSample()
            let order = try sample.order()
            try await database.write { try OrderWriter.insert(order, .init(), wakeAt: nil, in: $0) }
            await #expect(throws: expected) { try await database.write { try $0.run(breach.statement) } }
            #expect(try await database.read { try OrderReader.load(order.id, in: $0) } == order)
        }
    }

    @Test(
        "two orders under one reference, and takes it again once the first has failed",
        arguments: DatabaseEngine.allCases
    )
    func reference(engine: DatabaseEngine) async throws {
        let errors: [DatabaseEngine: SQLError] = [
            .sqlite: .uniqueViolation(constraint: "orders.marketplace, orders.live_reference"),
            .postgres: .uniqueViolation(constraint: "orders_live_reference"),
        ]
        let expected = try #require(errors[engine])
        try await withDatabase(engine, prepare: .migrated) { database in
            var sample = OrderSample()
            let (first, second) = (try sample.order(reference: "a"), try sample.order(reference: "a"))
            let foreign = try sample.order(reference: "a", marketplace: "other")
            try await database.write { session in
                try OrderWriter.insert(first, .init(), wakeAt: nil, in: session)
                try OrderWriter.insert(foreign, .init(), wakeAt: nil, in: session)
            }
            await #expect(throws: expected) {
                try await database.write { try OrderWriter.insert(second, .init(), wakeAt: nil, in: $0) }
            }
            var failed = first
            failed.decision = Decision(state: .refused, reason: .deadline, at: sample.now, countsOn: [])
            failed.payments[0].attempts[0].operations[0].state = .notSent(reason: "no route")
            try await database.write { [failed] session in
                try OrderWriter.update(failed, from: first, .init(), answer: nil, wakeAt: nil, in: session)
                try OrderWriter.insert(second, .init(), wakeAt: nil, in: session)
            }
            #expect(
                try await database.read { try OrderSearch.live(reference: "a", of: "travel", in: $0) } == second.id
            )
        }
    }

    @Test("two payments of one order for one merchant", arguments: DatabaseEngine.allCases)
    func merchantTwice(engine: DatabaseEngine) async throws {
        let errors: [DatabaseEngine: SQLError] = [
            .sqlite: .uniqueViolation(constraint: "payment.order_id, payment.external_identifier"),
            .postgres: .uniqueViolation(constraint: "payment_merchant"),
        ]
        let expected = try #require(errors[engine])
        try await withDatabase(engine, prepare: .migrated) { database in
            var sample = OrderSample()
            let order = try sample.order(["a", "a"])
            await #expect(throws: expected) {
                try await database.write { try OrderWriter.insert(order, .init(), wakeAt: nil, in: $0) }
            }
            #expect(try await database.read { try OrderReader.load(order.id, in: $0) } == nil)
        }
    }
}
