import Domain
import Gateway
import Logging
import SQL
import Storage
import Testing
import TributaryTestKit

@Suite("What is kept no longer", .timeLimit(.minutes(10)))
struct RetentionTests {
    private static let day: Int64 = 86_400_000
    /// More than two batches, and no whole number of them.
    private static let servedCount = 2 * Retention.batchLimit + 300
    private static let youngCount = 3

    private static let silent = Logger(label: "retention") { _ in SwiftLogNoOpLogHandler() }

    private static func retention(
        _ name: String,
        over database: any Database,
        _ clock: ManualClock,
        logger: Logger = silent
    ) -> Retention {
        Retention(database: database, clock: clock, instance: name, logger: logger)
    }

    /// When the youngest rows of a table have served that must stay.
    private static func young(_ table: RetainedTable, at now: Timestamp) -> Timestamp {
        switch table {
        case .credentials: Timestamp(microseconds: now.microseconds + 1)
        case .idempotencyKeys: now.adding(milliseconds: -30 * day)
        case .paymentRequests: now.adding(milliseconds: -day)
        case .webhooks, .callbacks: now.adding(milliseconds: -90 * day)
        case .walletOrders, .walletDevices: now.adding(milliseconds: -365 * day)
        case .merchantTokenNotices: now.adding(milliseconds: -8 * day)
        }
    }

    /// Fills a table with rows that have served for just too long, and with a few that have not.
    private static func fill(_ table: RetainedTable, _ database: any Database, at now: Timestamp) async throws {
        let young = young(table, at: now)
        try await database.write { session in
            let served: SQL =
                """
                CAST(\(young) AS \(unsafeText: session.dialect.integerType))
                    - CASE WHEN n > \(unsafeText: String(youngCount)) THEN 1 ELSE 0 END
                """
            let (columns, values) = sample(of: table, session.dialect)
            try session.run(
                """
                INSERT INTO \(unsafeText: table.rawValue) (\(columns))
                WITH RECURSIVE number (n) AS (
                    SELECT 1 UNION ALL SELECT n + 1 FROM number
                    WHERE n < \(unsafeText: String(servedCount + youngCount))
                )
                SELECT \(values), \(served) FROM number
                """
            )
        }
    }

    /// The columns of a table, of which the last says when a row has served, and values of the others for a number `n`.
    private static func sample(of table: RetainedTable, _ dialect: Dialect) -> (columns: SQL, values: SQL) {
        switch table {
        case .credentials:
            (
                "attempt_id, key_id, sealed, erase_at",
                "'att_' || n, 'k', CAST(\([UInt8]([1])) AS \(unsafeText: dialect.bytesType))"
            )
        case .idempotencyKeys:
            (
                "marketplace, scope, key, body_hash, order_id, created_at",
                "'travel', 'POST /v1/orders', 'k' || n, 'h', 'ord_' || n"
            )
        case .paymentRequests:
            (
                "id, marketplace, document, nonce, revision, has_contexts, created_at, expires_at",
                "'prq_' || n, 'travel', '{}', 'n', 1, 0, 1"
            )
        case .webhooks:
            (
                """
                id, marketplace, psp, psp_account, event_id, type, received_at, body_hash, document, state, attempts,
                    settled_at
                """,
                "'whk_' || n, 'travel', 'simulator', 'sim-a', 'e' || n, 't', 1, 'h', '{}', 'applied', 0"
            )
        case .walletOrders:
            (
                "id, order_id, marketplace, order_type, version, created_at, updated_at, modified_at",
                "'ord_' || n, 'ord_' || n, 'travel', 'order.t.x', 1, 0, 0"
            )
        case .merchantTokenNotices:
            (
                "merchant, event_id, marketplace, announced_at, state, settled_at",
                "'mer_' || n, 'e' || n, 'travel', 1, 'applied'"
            )
        case .walletDevices:
            (
                "order_type, device, marketplace, push_token, push_at, registered_at",
                "'order.t.x', 'dev-' || n, 'travel', 'aa', 0"
            )
        case .callbacks:
            (
                """
                id, endpoint_id, marketplace, merchant, type, sequence, payload, state, attempts, created_at,
                    settled_at
                """,
                """
                'cb_' || n, (SELECT MIN(id) FROM callback_endpoint), 'travel', '', 't', n, '{}', 'delivered', 0, 1
                """
            )
        }
    }

    private static func count(_ table: RetainedTable, _ database: any Database) async throws -> Int64 {
        try await database.read { session in
            let integer = session.dialect.integerType
            let rows = try session.rows(
                "SELECT CAST(COUNT(*) AS \(unsafeText: integer)) AS number FROM \(unsafeText: table.rawValue)"
            )
            return try rows[0].integer("number")
        }
    }

    @Test(
        "is all forgotten in one round, no transaction more than a batch, and what is not due stays",
        arguments: DatabaseEngine.allCases,
        RetainedTable.allCases
    )
    func batches(_ engine: DatabaseEngine, _ table: RetainedTable) async throws {
        try await withDatabase(engine, prepare: .listening) { database in
            let (clock, recorder) = (ManualClock(), DeletionRecorder(database))
            try await Self.fill(table, database, at: clock.now())
            await Self.retention("one", over: recorder, clock).look()
            #expect(try await Self.count(table, database) == Int64(Self.youngCount))
            #expect(recorder.deletions == [Retention.batchLimit, Retention.batchLimit, 300])
        }
    }

    @Test("is forgotten by one of two instances that look at once", arguments: DatabaseEngine.allCases)
    func twoInstances(_ engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .listening) { database in
            let clock = ManualClock()
            try await Self.fill(.webhooks, database, at: clock.now())
            let recorders = (0..<2).map { _ in DeletionRecorder(database) }
            await withTaskGroup { group in
                for (number, recorder) in recorders.enumerated() {
                    group.addTask { await Self.retention("\(number)", over: recorder, clock).look() }
                }
            }
            #expect(try await Self.count(.webhooks, database) == Int64(Self.youngCount))
            #expect(recorders.count { $0.deletions.isEmpty } == 1)
            #expect(recorders.flatMap(\.deletions).reduce(0, +) == Self.servedCount)
        }
    }

    @Test("is left to who has it in hand, until that claim lapses", arguments: DatabaseEngine.allCases)
    func takenOver(_ engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .listening) { database in
            let clock = ManualClock()
            try await Self.fill(.idempotencyKeys, database, at: clock.now())
            let (now, before) = (clock.now(), try await Self.count(.idempotencyKeys, database))
            let claimed = try await database.write { session in
                try RetentionTurnTable.claim(
                    [(name: RetainedTable.idempotencyKeys.rawValue, doneBefore: now)],
                    by: "dead",
                    at: now,
                    until: now.adding(milliseconds: 60_000),
                    in: session
                )
            }
            #expect(claimed == ["idempotency_key"])
            let heir = Self.retention("heir", over: database, clock)
            clock.advance(milliseconds: 59_999)
            await heir.look()
            #expect(try await Self.count(.idempotencyKeys, database) == before)
            clock.advance(milliseconds: 1)
            await heir.look()
            // A minute later those have served that had not.
            #expect(try await Self.count(.idempotencyKeys, database) == 0)
            let isKept = try await database.write { session in
                let until = now.adding(milliseconds: 120_000)
                return try RetentionTurnTable.renew("idempotency_key", by: "dead", until: until, in: session)
            }
            #expect(!isKept)
        }
    }

    @Test("is not looked for again by another instance at once", arguments: DatabaseEngine.allCases)
    func rested(_ engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .listening) { database in
            let clock = ManualClock()
            try await Self.fill(.paymentRequests, database, at: clock.now())
            await Self.retention("one", over: database, clock).look()
            clock.advance(milliseconds: 44_999)
            await Self.retention("two", over: database, clock).look()
            #expect(try await Self.count(.paymentRequests, database) == Int64(Self.youngCount))
            clock.advance(milliseconds: 1)
            await Self.retention("two", over: database, clock).look()
            #expect(try await Self.count(.paymentRequests, database) == 0)
        }
    }

    @Test(
        "leaves the books in order where callbacks are forgotten, and those that wait stay",
        arguments: DatabaseEngine.allCases
    )
    func callbacks(_ engine: DatabaseEngine) async throws {
        try await GatewayHarness.with(engine) { harness in
            let (_, order) = try await harness.run(.trip)
            let written = try await Self.count(.callbacks, harness.database)
            try await harness.database.write { session in
                let now = harness.clock.now()
                try session.run(
                    "UPDATE callback SET state = 'delivered', due_at = NULL, settled_at = \(now) WHERE sequence = 1"
                )
            }
            harness.clock.advance(milliseconds: 90 * Self.day + 1000)
            await Self.retention("one", over: harness.database, harness.clock).look()
            let left = try await harness.database.read { session in
                try CallbackTable.list(.init(marketplace: "travel"), limit: 1000, in: session)
            }
            #expect(!left.isEmpty && left.count < Int(written))
            #expect(left.allSatisfy { $0.content.sequence > 1 && $0.state == .waiting })
            func findings() async throws -> [LedgerFinding] {
                try await harness.database.read { try LedgerAudit(of: "travel").findings(in: $0) }
            }
            #expect(try await findings() == [])
            try await harness.database.write { session in
                let now = harness.clock.now()
                try session.run(
                    "UPDATE callback SET state = 'dead', due_at = NULL, settled_at = \(now) WHERE order_id = \(order.id)"
                )
            }
            harness.clock.advance(milliseconds: 90 * Self.day + 1000)
            await Self.retention("one", over: harness.database, harness.clock).look()
            #expect(try await Self.count(.callbacks, harness.database) == 0)
            #expect(try await findings() == [])
        }
    }

    @Test("makes the months' partitions; one that cannot be made is logged once and keeps the others from nothing")
    func months() async throws {
        try await withDatabase(.postgres, prepare: .travel) { database in
            // 15 May 2031.
            let (clock, lines) = (ManualClock(at: Timestamp(seconds: 1_936_569_600)), LogLines())
            let july = OrderID(bits: UInt128(1_940_630_400_000) << 80)
            try await database.write { session in
                try session.run(
                    """
                    INSERT INTO order_step (order_id, version, marketplace, at, document)
                    VALUES (\(july), 1, 'travel', 1, \(StoredStep.emptyDocument))
                    """
                )
            }
            let retention = Self.retention("one", over: database, clock, logger: lines.logger)
            await retention.look()
            clock.advance(milliseconds: 2 * 3_600_000)
            await retention.look()
            #expect(lines.all.count == 1, "\(lines.all)")
            let names = try await database.read { session in
                try session.rows(
                    """
                    SELECT CAST(inhrelid::regclass AS TEXT) AS name FROM pg_inherits
                    WHERE inhparent = 'order_step'::regclass ORDER BY 1
                    """
                ).map { try $0.text("name") }
            }
            let made = names.filter { $0.hasPrefix("order_step_2031") }
            #expect(made == ["order_step_2031_05", "order_step_2031_06", "order_step_2031_08"])
        }
    }
}
