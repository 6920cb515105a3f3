import Domain
import SQL
import Storage
import Testing
import TributaryTestKit

/// Rows that were stored a moment ago are in no statistics: a plan that takes them for few must not be a bad one.
@Suite("The questions about a file that was just stored", .timeLimit(.minutes(10)))
struct FreshRowsPlanTests {
    @Test("look each line's match up, and do not join every line with every match")
    func plans() async throws {
        try await withDatabase(.postgres, prepare: .travel) { database in
            var ids = IdentifierSource()
            let file: ImportID = ids.make(at: Timestamp(microseconds: 1_800_000_000_000_000))
            let plans = try await database.write { session in
                try Self.fill(file, in: session)
                return try [
                    SettledBatchTable.sums(file, session.dialect), SettledBatchTable.conversions(file, session.dialect),
                ].map { question in
                    try session.rows("EXPLAIN \(question)").map { try $0.text("QUERY PLAN") }.joined(separator: "\n")
                }
            }
            for plan in plans {
                #expect(!plan.contains("Join Filter"), "\(plan)")
                #expect(plan.contains("line_match_pkey on line_match m"), "\(plan)")
            }
        }
    }

    private static func fill(_ file: ImportID, in session: any Session) throws {
        try session.run(
            """
            INSERT INTO import_file (id, marketplace, sha256, name, format, size, row_count, unusable, totals, state,
                imported_at)
            VALUES (\(file), 'travel', 'x', 'x.csv', 'x', 1, 5000, 0, '[]', 'importing', 1)
            """
        )
        let numbers: SQL = "WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 5000)"
        try session.run(
            """
            INSERT INTO settlement_line (import_id, member, line, marketplace, hash, kind, type, currency, decimals,
                change_units, fee_units)
            \(numbers) SELECT \(file), 0, n, 'travel', ''::bytea, 'payment', 't', 'USD', 2, 1, 0 FROM number
            """
        )
        try session.run(
            """
            INSERT INTO line_match (import_id, member, line, position, marketplace, rule, is_exact, order_id, payment_id,
                attempt_id, merchant)
            \(numbers) SELECT \(file), 0, n, 0, 'travel', 'r', 1, 'o', 'p', 'a', 'm' FROM number
            """
        )
    }
}
