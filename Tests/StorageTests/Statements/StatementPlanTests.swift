import Domain
import SQL
import Storage
import Testing
import TributaryTestKit

@Suite("The questions behind a statement", .timeLimit(.minutes(1)))
struct StatementPlanTests {
    @Test("go through the index by merchant and time, and read no table whole", arguments: DatabaseEngine.allCases)
    func plans(_ engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .migrated) { database in
            let scope = try Self.scope()
            let place = StatementLine.Place(at: scope.from, entry: Self.identifier())
            let dialect = database.dialect
            let questions: [SQL] = [
                StatementTable.balances(scope, dialect), StatementTable.movements(scope, dialect),
                StatementTable.page(scope, after: nil, limit: 20), StatementTable.page(scope, after: place, limit: 20),
            ]
            for question in questions {
                let plan = try await Self.plan(of: question, in: database)
                #expect(plan.contains("journal_entry_by_merchant"), "\(plan)")
                // Both engines name what they read whole; the page's own rows are no table.
                let scans = plan.split(separator: "\n").filter { line in
                    line.contains("Seq Scan") || (line.contains("SCAN ") && !line.hasSuffix("SCAN e"))
                }
                #expect(scans.isEmpty, "\(plan)")
            }
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
            to: Timestamp(microseconds: 2)
        )
        return try #require(scope)
    }

    private static func identifier<Tag>() -> Identifier<Tag> {
        var ids = IdentifierSource()
        return ids.make(at: Timestamp(microseconds: 1))
    }
}
