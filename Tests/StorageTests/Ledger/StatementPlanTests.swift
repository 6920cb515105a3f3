import Domain
import SQL
import Storage
import Testing
import TributaryTestKit

@Suite("The questions behind a statement", .timeLimit(.minutes(10)))
struct StatementPlanTests {
    @Test("go through the index by merchant and time, and read no table whole", arguments: DatabaseEngine.allCases)
    func plans(_ engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .migrated) { database in
            let scope = try Self.scope()
            let place = StatementLine.Place(at: scope.from, entry: Self.identifier())
            let dialect = database.dialect
            try await Self.fill(database)
            let questions: [SQL] = [
                StatementTable.balances(scope, dialect), StatementTable.movements(scope, dialect),
                StatementTable.page(scope, after: nil, limit: 20, dialect),
                StatementTable.page(scope, after: place, limit: 20, dialect),
                PayoutBreakdownTable.question(scope, limit: 20, dialect),
            ]
            for question in questions {
                let plan = try await Self.plan(of: question, in: database)
                #expect(plan.contains("journal_entry_by_merchant"), "\(plan)")
                // Both engines name what they read whole; the page's own rows are no table, nor are an entry's postings.
                let scans = plan.split(separator: "\n").filter { line in
                    line.contains("Seq Scan")
                        || (line.contains("SCAN ")
                            && !["SCAN e", "SCAN m", "CONSTANT ROW"].contains(where: line.hasSuffix)
                            && !line.contains("VIRTUAL TABLE"))
                }
                #expect(scans.isEmpty, "\(plan)")
            }
        }
    }

    /// Writes entries of many merchants, so that the planner knows that one of them is a few of all.
    private static func fill(_ database: any Database) async throws {
        try await database.write { session in
            try session.run(
                """
                INSERT INTO journal_entry (id, marketplace, merchant, order_id, payment_id, operation_id, kind, currency,
                    at, postings)
                WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 2000)
                SELECT 'je_' || n, 'travel', 'mer_' || (n % 200), 'ord_' || n, 'pay_' || n, 'op_' || n, 'capture', 'USD', n,
                    '[["psp/a/clearing","merchant/mer_' || (n % 200) || '/payable",1]]'
                FROM number
                """
            )
            try session.run("ANALYZE")
        }
    }

    /// The engine's plan for a question; an empty table is no reason to read it whole.
    private static func plan(of question: SQL, in database: any Database) async throws -> String {
        try await database.write { session in
            if session.dialect == .sqlite {
                return try session.rows("EXPLAIN QUERY PLAN \(question)").map { try $0.text("detail") }
                    .joined(separator: "\n")
            }
            try session.run("SET LOCAL enable_seqscan = off")
            return try session.rows("EXPLAIN \(question)").map { try $0.text("QUERY PLAN") }.joined(separator: "\n")
        }
    }

    private static func scope() throws -> StatementScope {
        let currency = try #require(Currency(code: "USD"))
        let scope = StatementScope(
            marketplace: "travel",
            merchant: identifier(),
            currency: currency,
            from: Timestamp(microseconds: 1),
            to: Timestamp(microseconds: 2000)
        )
        return try #require(scope)
    }

    private static func identifier<Tag>() -> Identifier<Tag> {
        var ids = IdentifierSource()
        return ids.make(at: Timestamp(microseconds: 1))
    }
}
