import Domain
import SQL
import Storage
import Testing
import TributaryTestKit

@Suite("The months of the history of orders", .timeLimit(.minutes(10)))
struct OrderStepMonthsTests {
    /// 1 May 2031, 00:00 UTC.
    private static let may = Timestamp(seconds: 1_935_360_000)
    /// 1 June 2031, 00:00 UTC.
    private static let june = Timestamp(seconds: 1_938_038_400)

    private static func order(at moment: Timestamp) -> OrderID {
        OrderID(bits: UInt128(moment.microseconds / 1000) << 80)
    }

    private static func add(_ order: OrderID, _ database: any Database) async throws -> String {
        try await database.write { session in
            try session.run(
                """
                INSERT INTO order_step (order_id, version, marketplace, at, document)
                VALUES (\(order), 1, 'travel', 1, \(StoredStep.emptyDocument))
                """
            )
            let rows = try session.rows(
                "SELECT CAST(tableoid::regclass AS TEXT) AS name FROM order_step WHERE order_id = \(order)"
            )
            return try rows[0].text("name")
        }
    }

    @Test("begin and end with the moments of placing that identifiers begin with")
    func bounds() async throws {
        try await withDatabase(.postgres, prepare: .travel) { database in
            let result = try await database.write { try OrderStepMonths.add(later: 0, at: Self.may, in: $0) }
            #expect(result.name == "order_step_2031_05" && result.result == .made)
            var places: [String] = []
            for moment in [Self.may, Self.june].flatMap({ [$0.adding(milliseconds: -1), $0] }) {
                places.append(try await Self.add(Self.order(at: moment), database))
            }
            #expect(
                places == ["order_step_default", "order_step_2031_05", "order_step_2031_05", "order_step_default"]
            )
        }
    }

    @Test("are made once each, and not where rows of theirs stand in the default partition")
    func results() async throws {
        try await withDatabase(.postgres, prepare: .travel) { database in
            func missing() async throws -> [Int64] {
                try await database.read { try OrderStepMonths.missing(at: Self.may, in: $0) }
            }
            func add(_ later: Int64) async throws -> OrderStepMonths.Result {
                try await database.write { try OrderStepMonths.add(later: later, at: Self.may, in: $0).result }
            }
            #expect(try await missing() == [0, 1, 2, 3])
            let place = try await Self.add(Self.order(at: Self.june), database)
            #expect(place == "order_step_default")
            #expect(try await add(0) == .made)
            #expect(try await add(0) == .there)
            #expect(try await add(1) == .occupied)
            #expect(try await add(2) == .made)
            #expect(try await missing() == [1, 3])
        }
    }

    @Test("are not made on SQLite, which has none")
    func embedded() async throws {
        try await withDatabase(.sqlite, prepare: .travel) { database in
            let missing = try await database.read { try OrderStepMonths.missing(at: Self.may, in: $0) }
            #expect(missing == [])
        }
    }

    @Test("stand ready for the present month and the next three in a new database")
    func present() async throws {
        try await withDatabase(.postgres, prepare: .travel) { database in
            let now = Timestamp(microseconds: try await database.now())
            // A new month may have begun since the template was made.
            #expect(try await database.read { try OrderStepMonths.missing(at: now, in: $0) }.allSatisfy { $0 == 3 })
        }
    }

    @Test(
        "refuse what the whole history refuses, also directly",
        arguments: ["order_step_2031_05", "order_step_default"],
        ["UPDATE t SET at = 2", "DELETE FROM t", "TRUNCATE t"]
    )
    func appendOnly(_ partition: String, _ change: String) async throws {
        try await withDatabase(.postgres, prepare: .travel) { database in
            _ = try await database.write { try OrderStepMonths.add(later: 0, at: Self.may, in: $0) }
            let statement = change.replacing(" t", with: " \(partition)")
            await #expect(throws: SQLError.constraintViolation(constraint: "append_only")) {
                try await database.write { try $0.run("\(unsafeText: statement)") }
            }
        }
    }

    @Test("are read alone where an order is known")
    func pruning() async throws {
        try await withDatabase(.postgres, prepare: .travel) { database in
            let order = Self.order(at: Self.may)
            let plan = try await database.write { session in
                for later: Int64 in 0...3 { _ = try OrderStepMonths.add(later: later, at: Self.may, in: session) }
                let question: SQL = "SELECT document FROM order_step WHERE order_id = \(order) ORDER BY version"
                return try session.rows("EXPLAIN \(question)").map { try $0.text("QUERY PLAN") }.joined(separator: "\n")
            }
            #expect(plan.contains("order_step_2031_05"), "\(plan)")
            #expect(!plan.contains("order_step_default") && !plan.contains("order_step_2031_06"), "\(plan)")
        }
    }
}
