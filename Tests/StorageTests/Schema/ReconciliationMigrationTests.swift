import SQL
import Storage
import Testing
import TributaryTestKit

@Suite("The migration for reconciliation", .timeLimit(.minutes(1)))
struct ReconciliationMigrationTests {
    private static let before: [SQL] = [
        "INSERT INTO marketplace (id, name, created_at) VALUES ('travel', 'Travel', 1)",
        """
        INSERT INTO orders (id, marketplace, currency, amount, payable, policy, capture, on_deadline,
            on_capture_failure, deadline_at, decide_by, decision, counts_on, status, event_sequence, version, metadata,
            created_at)
        VALUES ('ord_1', 'travel', 'USD', 10, 10, '{}', 'manual', 'abandon', 'attention', 1, 1, 'pending', '',
            'processing', 0, 1, '{}', 1)
        """,
        """
        INSERT INTO payment (id, order_id, position, marketplace, merchant, external_identifier, amount, metadata,
            allocation, status, authorized, captured, refunded)
        VALUES ('pay_1', 'ord_1', 0, 'travel', 'mer_1', 'airline', 10, '{}', '[]', 'created', 0, 0, 0)
        """,
        """
        INSERT INTO attempt (id, payment_id, order_id, position, marketplace, psp, psp_account, settles_to,
            commission_by)
        VALUES ('att_1', 'pay_1', 'ord_1', 0, 'travel', 'simulator', 'sim-a', 'marketplace', 'psp')
        """,
        """
        INSERT INTO operation (id, attempt_id, order_id, position, marketplace, kind, amount, origin, state,
            done_amount, created_at, replied_at, leases, doubts)
        VALUES ('op_1', 'att_1', 'ord_1', 0, 'travel', 'authorize', 10, 'gateway', 'succeeded', 10, 1, 2, 1, 0),
            ('op_2', 'att_1', 'ord_1', 1, 'travel', 'capture', 10, 'gateway', 'succeeded', 10, 3, 4, 1, 0),
            ('op_3', 'att_1', 'ord_1', 2, 'travel', 'refund', 10, 'gateway', 'succeeded', 10, 5, 6, 1, 0),
            ('op_4', 'att_1', 'ord_1', 3, 'travel', 'refund', 10, 'gateway', 'declined', 0, 7, 8, 1, 0)
        """,
        """
        INSERT INTO journal_entry (id, marketplace, merchant, order_id, payment_id, operation_id, kind, currency, at)
        VALUES ('je_1', 'travel', 'mer_1', 'ord_1', 'pay_1', 'op_2', 'capture', 'USD', 9)
        """,
        """
        INSERT INTO posting (entry_id, position, marketplace, debit, credit, currency, amount)
        VALUES ('je_1', 0, 'travel', 'a', 'b', 'USD', 10)
        """,
    ]

    @Test("keeps the journal, and says when effects were posted", arguments: DatabaseEngine.allCases)
    func kept(_ engine: DatabaseEngine) async throws {
        try await withDatabase(engine) { database in
            _ = try await Migrator(Schema.migrations.filter { $0.name < "0012" }).migrate(database)
            try await database.write { session in
                for statement in Self.before { try session.run(statement) }
            }
            _ = try await Migrator().migrate(database)
            let (entries, operations) = try await database.read { session in
                (
                    try session.rows(
                        """
                        SELECT e.id, merchant, operation_id, kind, at, debit, amount FROM journal_entry AS e
                        JOIN posting AS p ON p.entry_id = e.id WHERE import_id IS NULL AND break_id IS NULL
                            AND cause IS NULL AND reverses IS NULL
                        """
                    ).map { try [$0.text("id"), $0.text("merchant"), $0.text("operation_id"), $0.text("debit")] },
                    try session.rows("SELECT id, psp_account, posted_at FROM operation ORDER BY id").map {
                        "\(try $0.text("id")) \(try $0.text("psp_account")) \(try $0.optionalInteger("posted_at") ?? 0)"
                    }
                )
            }
            #expect(entries == [["je_1", "mer_1", "op_2", "a"]])
            #expect(operations == ["op_1 sim-a 0", "op_2 sim-a 9", "op_3 sim-a 6", "op_4 sim-a 0"])
        }
    }

    private static let entry = "INSERT INTO journal_entry (id, marketplace, kind, currency, at, "

    static let breaches: [SQL] = [
        // Of nothing, of no merchant, of two things; a cause without an import, an import without one.
        "\(unsafeText: entry) merchant) VALUES ('je_1', 'travel', 'psp_fees', 'USD', 1, 'mer_1')",
        """
        \(unsafeText: entry) order_id, payment_id, operation_id)
        VALUES ('je_1', 'travel', 'capture', 'USD', 1, 'ord_1', 'pay_1', 'op_1')
        """,
        """
        \(unsafeText: entry) import_id, operation_id, order_id, payment_id, cause)
        VALUES ('je_1', 'travel', 'psp_fees', 'USD', 1, 'imp_1', 'op_1', 'ord_1', 'pay_1', '')
        """,
        "\(unsafeText: entry) import_id) VALUES ('je_1', 'travel', 'psp_fees', 'USD', 1, 'imp_1')",
        """
        \(unsafeText: entry) merchant, order_id, payment_id, operation_id, reverses)
        VALUES ('je_1', 'travel', 'capture', 'USD', 1, 'mer_1', 'ord_1', 'pay_1', 'op_1', 'je_0')
        """,
        "UPDATE import_file SET state = 'done'", "UPDATE import_file SET state = 'superseded'",
        "UPDATE import_file SET psp_account = NULL", "UPDATE import_file SET unusable = 1",
    ]

    @Test("refuses what cannot be", arguments: DatabaseEngine.allCases, breaches)
    func refused(_ engine: DatabaseEngine, _ breach: SQL) async throws {
        try await withDatabase(engine, prepare: .travel) { database in
            try await database.write { session in
                try session.run(
                    """
                    INSERT INTO import_file (id, marketplace, sha256, name, format, psp, psp_account, size, row_count,
                        unusable, totals, state, imported_at)
                    VALUES ('imp_1', 'travel', 'aa', 'a.csv', 'f', 'simulator', 'sim-a', 1, 0, 0, '[]', 'importing', 1)
                    """
                )
            }
            do {
                try await database.write { try $0.run(breach) }
                Issue.record("was taken")
            } catch SQLError.constraintViolation {}
        }
    }
}
