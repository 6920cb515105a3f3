import Domain
import SQL
import Storage
import Testing
import TributaryTestKit

@Suite("The audit of what reconciliation posted", .timeLimit(.minutes(10)))
struct SettlementAuditTests {
    /// A wrong that is done to the books, and the rules that find it.
    struct Wrong: Sendable {
        let statements: [SQL]
        let rules: Set<LedgerRule>
    }

    private static let entry = """
        id, marketplace, merchant, import_id, break_id, cause, reverses, kind, currency, at, postings
        """

    static let wrongs = [
        Wrong(
            statements: ["UPDATE import_file SET superseded_by = id, state = 'superseded'"],
            rules: [.importIsPosted]
        ),
        Wrong(
            statements: ["UPDATE settlement_line SET fee_units = fee_units + 1 WHERE line = 1"],
            rules: [.importIsPosted]
        ),
        Wrong(
            statements: [
                """
                INSERT INTO journal_entry (\(unsafeText: entry))
                    SELECT 'je_x', marketplace, merchant, import_id, NULL, 'again', NULL, kind, currency, at, postings
                    FROM journal_entry WHERE kind = 'psp_payout'
                """
            ],
            rules: [.importIsPosted]
        ),
        Wrong(
            statements: ["UPDATE recon_break SET state = 'open', resolved_at = NULL"],
            rules: [.breakIsPosted]
        ),
        Wrong(
            statements: [
                """
                INSERT INTO journal_entry (\(unsafeText: entry))
                    SELECT 'je_x', marketplace, merchant, import_id, break_id, cause, id, kind, currency, at,
                        '[["marketplace/bank","psp/sim-a/clearing",1]]'
                    FROM journal_entry WHERE kind = 'write_off'
                """
            ],
            rules: [.reversalFitsEntry]
        ),
    ]

    /// Breaks off a transaction, so that each wrong is done to the same books.
    private struct Undone: Error {
        let rules: Set<LedgerRule>
    }

    @Test("finds nothing in what is right, and each wrong by its rule", arguments: DatabaseEngine.allCases)
    func audit(_ engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .travel) { database in
            var shop = Shop(database)
            let file = shop.file("one")
            _ = try await shop.take(file, [try Shop.line(1, .fee, -7), try Shop.line(2, .payout, -50)])
            let found = Break(
                type: .duplicateLine,
                key: "k",
                currency: try Shop.currency(),
                amount: 5,
                day: nil,
                pspAccount: "sim-a",
                explanation: "e",
                suggestion: "s"
            )
            _ = try await shop.record([found], in: file)
            _ = try await shop.act(.writtenOff, on: try await shop.stored("k"))
            #expect(try await shop.findings() == [])
            for wrong in Self.wrongs {
                do {
                    try await database.write { session in
                        for statement in wrong.statements { try session.run(statement) }
                        let findings =
                            try LedgerAudit(of: "travel").findings(in: session)
                        throw Undone(rules: Set(findings.map(\.rule)))
                    }
                } catch let undone as Undone {
                    #expect(undone.rules == wrong.rules, "\(wrong.statements)")
                }
            }
        }
    }
}
