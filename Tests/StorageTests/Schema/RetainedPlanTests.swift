import Domain
import SQL
import Storage
import Testing
import TributaryTestKit

@Suite("Forgetting what is kept no longer", .timeLimit(.minutes(10)))
struct RetainedPlanTests {
    /// The table of credentials is small, and its rows come and go with every order: it has no index by time.
    private static let indexes: [(RetainedTable, String)] = [
        (.idempotencyKeys, "idempotency_key_by_time"), (.paymentRequests, "payment_request_by_end"),
        (.webhooks, "psp_webhook_settled"), (.callbacks, "callback_settled"),
        (.walletOrders, "wallet_order_by_time"), (.walletDevices, "wallet_device_by_time"),
        (.merchantTokenNotices, "merchant_token_notice_settled"),
    ]

    @Test("goes through an index by time, and so does the look for it", arguments: DatabaseEngine.allCases, indexes)
    func plans(_ engine: DatabaseEngine, _ expected: (table: RetainedTable, index: String)) async throws {
        try await withDatabase(engine, prepare: .migrated) { database in
            let moment = Timestamp(microseconds: 1_800_000_000_000_000)
            let (look, deletion) = (
                expected.table.oldest(before: moment), expected.table.deletion(before: moment, limit: 1000)
            )
            for question in [look, deletion] {
                let plan = try await Self.plan(of: question, in: database)
                #expect(plan.contains(expected.index), "\(plan)")
                #expect(!plan.contains("Seq Scan") && !plan.contains("SCAN \(expected.table.rawValue)"), "\(plan)")
            }
        }
    }

    /// The engine's plan for a statement; an empty table is no reason to read it whole.
    private static func plan(of statement: SQL, in database: any Database) async throws -> String {
        try await database.write { session in
            if session.dialect == .sqlite {
                return try session.rows("EXPLAIN QUERY PLAN \(statement)").map { try $0.text("detail") }
                    .joined(separator: "\n")
            }
            try session.run("SET LOCAL enable_seqscan = off")
            return try session.rows("EXPLAIN \(statement)").map { try $0.text("QUERY PLAN") }.joined(separator: "\n")
        }
    }
}
