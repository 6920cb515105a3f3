import Domain
import SQL
import Storage
import Testing
import TributaryTestKit

@Suite("Idempotency keys", .timeLimit(.minutes(10)))
struct IdempotencyTests {
    private static func find(
        _ use: IdempotencyTable.Use,
        _ database: any Database
    ) async throws -> IdempotencyTable.Known? {
        try await database.read { try IdempotencyTable.read($0.rows(IdempotencyTable.find(use))) }
    }

    private static func use(
        _ key: String,
        scope: String = "POST /v1/orders",
        of marketplace: String = "travel"
    )
        -> IdempotencyTable.Use
    {
        IdempotencyTable.Use(marketplace: marketplace, scope: scope, key: key, bodyHash: "new")
    }

    @Test("stand for one order in their marketplace and scope", arguments: DatabaseEngine.allCases)
    func known(engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .migrated) { database in
            var sample = OrderSample()
            let (order, now) = (try sample.order(), sample.now)
            try await database.write { session in
                try OrderWriter.insert(order, .init(), wakeAt: nil, in: session)
                try IdempotencyTable.insert(Self.use("k"), order: order.id, at: now, in: session)
            }
            let known = try #require(try await Self.find(Self.use("k"), database))
            #expect(known.order == order.id)
            #expect(known.bodyHash == "new")
            #expect(try await Self.find(Self.use("K"), database) == nil)
            #expect(try await Self.find(Self.use("k", scope: "POST /v1/refunds"), database) == nil)
            #expect(try await Self.find(Self.use("k", of: "other"), database) == nil)
        }
    }

    @Test("are taken once", arguments: DatabaseEngine.allCases)
    func taken(engine: DatabaseEngine) async throws {
        let errors: [DatabaseEngine: SQLError] = [
            .sqlite: .uniqueViolation(
                constraint: "idempotency_key.marketplace, idempotency_key.scope, idempotency_key.key"
            ),
            .postgres: .uniqueViolation(constraint: "idempotency_key_pkey"),
        ]
        let expected = try #require(errors[engine])
        try await withDatabase(engine, prepare: .migrated) { database in
            var sample = OrderSample()
            let (one, two): (OrderID, OrderID) = (sample.make(), sample.make())
            let now = sample.now
            try await database.write { try IdempotencyTable.insert(Self.use("k"), order: one, at: now, in: $0) }
            await #expect(throws: expected) {
                try await database.write { try IdempotencyTable.insert(Self.use("k"), order: two, at: now, in: $0) }
            }
        }
    }

    @Test("are forgotten when they are older than asked", arguments: DatabaseEngine.allCases)
    func forgotten(engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .migrated) { database in
            var sample = OrderSample()
            let (order, now) = (try sample.order(), sample.now)
            try await database.write { session in
                try OrderWriter.insert(order, .init(), wakeAt: nil, in: session)
                try IdempotencyTable.insert(Self.use("k"), order: order.id, at: now, in: session)
                #expect(try RetainedTable.idempotencyKeys.forget(before: now, limit: 10, in: session) == 0)
            }
            #expect(try await Self.find(Self.use("k"), database) != nil)
            let count = try await database.write { session in
                try RetainedTable.idempotencyKeys.forget(before: now.adding(milliseconds: 1), limit: 10, in: session)
            }
            #expect(count == 1)
            #expect(try await Self.find(Self.use("k"), database) == nil)
        }
    }
}
