import SQL
import Storage
import Testing
import TributaryTestKit

@Suite("The journal's new tables", .timeLimit(.minutes(1)))
struct PayoutMigrationTests {
    private static let order: [SQL] = [
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
    ]

    @Test("keep every entry and posting, and know whose they are", arguments: DatabaseEngine.allCases)
    func kept(_ engine: DatabaseEngine) async throws {
        let before = Schema.migrations.filter { $0.name < "0010" }
        try await withDatabase(engine) { database in
            _ = try await Migrator(before).migrate(database)
            try await database.write { session in
                for statement in Self.order { try session.run(statement) }
                try session.run(
                    """
                    INSERT INTO journal_entry (id, marketplace, order_id, payment_id, operation_id, dispute_id, kind,
                        currency, at)
                    VALUES ('je_1', 'travel', 'ord_1', 'pay_1', 'op_1', NULL, 'capture', 'USD', 7),
                        ('je_2', 'travel', 'ord_1', 'pay_1', NULL, 'dsp_1', 'chargeback', 'USD', 8)
                    """
                )
                try session.run(
                    """
                    INSERT INTO posting (entry_id, position, marketplace, debit, credit, currency, amount)
                    VALUES ('je_1', 0, 'travel', 'a', 'b', 'USD', 10), ('je_2', 0, 'travel', 'b', 'a', 'USD', 4)
                    """
                )
            }
            _ = try await Migrator().migrate(database)
            let kept = try await database.read { session in
                try session.rows(
                    """
                    SELECT id, merchant, operation_id, dispute_id, kind, at, debit, amount FROM journal_entry
                    JOIN posting ON entry_id = id WHERE payout_id IS NULL AND order_id = 'ord_1' ORDER BY id
                    """
                ).map { row in
                    let cause = try row.optionalText("operation_id") ?? row.text("dispute_id")
                    let words = [try row.text("id"), try row.text("merchant"), cause, try row.text("kind")]
                    let numbers = [try row.integer("at"), try row.integer("amount")]
                    return (words + numbers.map(String.init) + [try row.text("debit")]).joined(separator: " ")
                }
            }
            #expect(kept == ["je_1 mer_1 op_1 capture 7 10 a", "je_2 mer_1 dsp_1 chargeback 8 4 b"])
        }
    }

    /// Order, payment, operation, dispute and payout of an entry, none of which may be.
    static let breaches: [[String?]] = [
        // About nothing, about two things, about a payout with an order, about an order without a payment.
        ["ord_1", "pay_1", nil, nil, nil], ["ord_1", "pay_1", "op_1", "dsp_1", nil],
        ["ord_1", "pay_1", nil, nil, "po_1"], ["ord_1", nil, "op_1", nil, nil],
    ]

    @Test("refuse an entry that is about nothing, or about two things", arguments: DatabaseEngine.allCases, breaches)
    func refused(_ engine: DatabaseEngine, _ breach: [String?]) async throws {
        try await withDatabase(engine, prepare: .travel) { database in
            try await database.write { session in
                for statement in Self.order { try session.run(statement) }
            }
            do {
                try await database.write { session in
                    try session.run(
                        """
                        INSERT INTO journal_entry (id, marketplace, merchant, order_id, payment_id, operation_id,
                            dispute_id, payout_id, kind, currency, at)
                        VALUES ('je_1', 'travel', 'mer_1', \(list: breach.map(\.sqlValue)), 'capture', 'USD', 7)
                        """
                    )
                }
                Issue.record("was taken")
            } catch SQLError.constraintViolation {}
        }
    }
}
