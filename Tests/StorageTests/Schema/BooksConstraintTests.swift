import SQL
import Storage
import Testing
import TributaryTestKit

@Suite("The journal and the files of reconciliation refuse", .timeLimit(.minutes(10)))
struct BooksConstraintTests {
    private static let order: [SQL] = [
        """
        INSERT INTO orders (id, marketplace, currency, amount, payable, policy, capture, on_deadline,
            on_capture_failure, deadline_at, decide_by, decision, counts_on, status, event_sequence, version, metadata,
            created_at, updated_at)
        VALUES ('ord_1', 'travel', 'USD', 10, 10, '{}', 'manual', 'abandon', 'attention', 1, 1, 'pending', '',
            'processing', 0, 1, '{}', 1, 1)
        """,
        """
        INSERT INTO payment (id, order_id, position, marketplace, merchant, external_identifier, amount, metadata,
            allocation, attempts, status, authorized, captured, refunded)
        VALUES ('pay_1', 'ord_1', 0, 'travel', 'mer_1', 'airline', 10, '{}', '[]', '[]', 'created', 0, 0, 0)
        """,
    ]

    /// Order, payment, operation, dispute and payout of an entry, none of which may be.
    static let entryBreaches: [[String?]] = [
        // About nothing, about two things, about a payout with an order, about an order without a payment.
        ["ord_1", "pay_1", nil, nil, nil], ["ord_1", "pay_1", "op_1", "dsp_1", nil],
        ["ord_1", "pay_1", nil, nil, "po_1"], ["ord_1", nil, "op_1", nil, nil],
    ]

    @Test("an entry that is about nothing, or about two things", arguments: DatabaseEngine.allCases, entryBreaches)
    func entry(_ engine: DatabaseEngine, _ breach: [String?]) async throws {
        try await withDatabase(engine, prepare: .travel) { database in
            try await database.write { session in
                for statement in Self.order { try session.run(statement) }
            }
            do {
                try await database.write { session in
                    try session.run(
                        """
                        INSERT INTO journal_entry (id, marketplace, merchant, order_id, payment_id, operation_id,
                            dispute_id, payout_id, kind, currency, at, postings)
                        VALUES ('je_1', 'travel', 'mer_1', \(list: breach.map(\.sqlValue)), 'capture', 'USD', 7,
                            '[["a","b",1]]')
                        """
                    )
                }
                Issue.record("was taken")
            } catch SQLError.constraintViolation {}
        }
    }

    private static let insertEntry = "INSERT INTO journal_entry (id, marketplace, kind, currency, at, postings, "

    static let breaches: [SQL] = [
        // Of nothing, of no merchant, of two things; a cause without an import, an import without one.
        """
        \(unsafeText: insertEntry) merchant) VALUES ('je_1', 'travel', 'psp_fees', 'USD', 1, '[["a","b",1]]', 'mer_1')
        """,
        """
        \(unsafeText: insertEntry) order_id, payment_id, operation_id)
        VALUES ('je_1', 'travel', 'capture', 'USD', 1, '[["a","b",1]]', 'ord_1', 'pay_1', 'op_1')
        """,
        """
        \(unsafeText: insertEntry) import_id, operation_id, order_id, payment_id, cause)
        VALUES ('je_1', 'travel', 'psp_fees', 'USD', 1, '[["a","b",1]]', 'imp_1', 'op_1', 'ord_1', 'pay_1', '')
        """,
        """
        \(unsafeText: insertEntry) import_id) VALUES ('je_1', 'travel', 'psp_fees', 'USD', 1, '[["a","b",1]]', 'imp_1')
        """,
        """
        \(unsafeText: insertEntry) merchant, order_id, payment_id, operation_id, reverses)
        VALUES ('je_1', 'travel', 'capture', 'USD', 1, '[["a","b",1]]', 'mer_1', 'ord_1', 'pay_1', 'op_1', 'je_0')
        """,
        "UPDATE import_file SET state = 'done'", "UPDATE import_file SET state = 'superseded'",
        "UPDATE import_file SET psp_account = NULL", "UPDATE import_file SET unusable = 1",
    ]

    @Test("what cannot be", arguments: DatabaseEngine.allCases, breaches)
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
