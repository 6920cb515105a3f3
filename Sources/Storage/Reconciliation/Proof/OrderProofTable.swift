package import Domain
package import SQL

/// Reads what proves that an order's money went where it belongs.
package enum OrderProofTable {
    /// The proof of an order; nil if the marketplace has no such order.
    ///
    /// - Throws: `SQLError`.
    package static func proof(
        of order: OrderID,
        marketplace: String,
        in session: any Session
    ) throws(SQLError) -> OrderProof? {
        let answers = try session.rows([
            "SELECT currency FROM orders WHERE id = \(order) AND marketplace = \(marketplace)",
            lines(order), payouts(order), entries(order),
        ])
        guard let row = answers[0].first else { return nil }
        let currency = try row.currency("currency")
        let (lines, payouts) = (try answers[1].read(line), try answers[2].read(payout))
        let entries = try entries(answers[3])
        let coverage = try MerchantCoverage.of(entries, currency, marketplace: marketplace, in: session)
        return OrderProof(
            order: order,
            currency: currency,
            lines: lines,
            payouts: payouts,
            credits: try credits(of: payouts, coverage, in: session),
            coverage: coverage,
            entries: entries,
            breaks: try BreakTable.breaks(
                "marketplace = \(marketplace) AND order_id = \(order) ORDER BY id",
                in: session
            )
        )
    }

    private static func lines(_ order: OrderID) -> SQL {
        """
        SELECT l.*, f.name AS file_name, f.sha256, f.psp_account, m.position, m.rule, m.is_exact, m.subject_kind,
            m.subject_id, m.order_id, m.payment_id, m.attempt_id AS matched_attempt, m.merchant,
            CASE WHEN EXISTS (SELECT 1 FROM line_match AS o WHERE o.import_id = m.import_id AND o.member = m.member
                AND o.line = m.line AND o.payment_id <> m.payment_id) THEN 1 ELSE 0 END AS is_shared
        FROM line_match AS m JOIN import_file AS f ON f.id = m.import_id
            JOIN settlement_line AS l ON l.import_id = m.import_id AND l.member = m.member AND l.line = m.line
        WHERE m.order_id = \(order) AND f.state = 'done'
        ORDER BY m.import_id, m.member, m.line, m.position
        """
    }

    private static func payouts(_ order: OrderID) -> SQL {
        """
        SELECT DISTINCT b.import_id AS batch_import, b.batch AS paid_batch, b.rule, p.name AS file_name, l.*
        FROM line_match AS m JOIN import_file AS f ON f.id = m.import_id
            JOIN settlement_line AS s ON s.import_id = m.import_id AND s.member = m.member AND s.line = m.line
            JOIN batch_match AS b ON b.import_id = s.import_id AND b.batch = s.batch
            JOIN import_file AS p ON p.id = b.payout_import
            JOIN settlement_line AS l ON l.import_id = b.payout_import AND l.member = b.payout_member
                AND l.line = b.payout_line
        WHERE m.order_id = \(order) AND f.state = 'done' AND p.state = 'done'
        ORDER BY l.import_id, l.member, l.line, b.import_id, b.batch
        """
    }

    private static func entries(_ order: OrderID) -> SQL {
        """
        SELECT e.id, e.kind, e.payment_id, e.operation_id, e.dispute_id, e.at, p.debit, p.credit, p.amount
        FROM journal_entry AS e JOIN posting AS p ON p.entry_id = e.id
        WHERE e.order_id = \(order) ORDER BY e.at, e.id, p.position
        """
    }

    private static func line(_ row: Row) throws(SQLError) -> OrderProof.Line {
        let match = LineMatch(
            line: try row.place(),
            position: Int(try row.integer("position")),
            rule: try row.text("rule"),
            isExact: try row.integer("is_exact") == 1,
            subject: try SubjectColumns.read(row),
            order: try row.identifier("order_id"),
            payment: try row.identifier("payment_id"),
            attempt: try row.identifier("matched_attempt"),
            merchant: try row.identifier("merchant")
        )
        return OrderProof.Line(
            file: try row.text("file_name"),
            sha256: try row.text("sha256"),
            pspAccount: try row.text("psp_account"),
            line: try SettlementLineTable.read(row),
            match: match,
            isShared: try row.integer("is_shared") == 1
        )
    }

    private static func payout(_ row: Row) throws(SQLError) -> OrderProof.BatchPayout {
        OrderProof.BatchPayout(
            batchFile: try row.identifier("batch_import"),
            batch: try row.text("paid_batch"),
            rule: try row.text("rule"),
            file: try row.text("file_name"),
            place: try row.place(),
            line: try SettlementLineTable.read(row)
        )
    }

    private static func entries(_ rows: [Row]) throws(SQLError) -> [OrderProof.Entry] {
        var entries: [OrderProof.Entry] = []
        var start = 0
        while start < rows.count {
            let (row, id) = (rows[start], try rows[start].text("id"))
            var postings: [Posting] = []
            while start < rows.count, try rows[start].text("id") == id {
                postings.append(
                    Posting(
                        stored: try rows[start].account("debit"),
                        credit: try rows[start].account("credit"),
                        amount: try rows[start].integer("amount")
                    )
                )
                start += 1
            }
            entries.append(
                OrderProof.Entry(
                    id: try row.identifier("id"),
                    kind: try row.word("kind"),
                    payment: try row.identifier("payment_id"),
                    operation: try row.optionalIdentifier("operation_id"),
                    dispute: try row.optionalIdentifier("dispute_id"),
                    at: try row.time("at"),
                    postings: postings
                )
            )
        }
        return entries
    }

    /// The bank entries of a PSP's payouts and of payouts to merchants.
    private static func credits(
        of payouts: [OrderProof.BatchPayout],
        _ coverage: [OrderProof.Coverage],
        in session: any Session
    ) throws(SQLError) -> [OrderProof.Credit] {
        let places = Set(payouts.map(\.place)).sorted { ($0.file, $0.member, $0.row) < ($1.file, $1.member, $1.row) }
        let recorded = Set(coverage.map(\.payout)).sorted().map(\.sqlValue)
        let wanted: [SQL] =
            places.map { place in
                """
                m.payout_import = \(place.file) AND m.payout_member = \(place.member)
                    AND m.payout_line = \(place.row)
                """
            } + (recorded.isEmpty ? [] : ["m.payout_id IN (\(list: recorded))"])
        guard !wanted.isEmpty else { return [] }
        let answers = try session.rows(
            wanted.map { condition in
                """
                SELECT m.payout_import, m.payout_member, m.payout_line, m.payout_id, m.rule, f.name AS file_name,
                    f.sha256, b.*
                FROM bank_match AS m JOIN import_file AS f ON f.id = m.bank_import
                    JOIN bank_entry AS b ON b.import_id = m.bank_import AND b.member = m.bank_member
                        AND b.line = m.bank_line
                WHERE \(condition) AND f.state = 'done' ORDER BY b.import_id, b.member, b.line, m.position
                """
            }
        )
        var credits: [OrderProof.Credit] = []
        for rows in answers { credits += try rows.read(credit) }
        return credits
    }

    private static func credit(_ row: Row) throws(SQLError) -> OrderProof.Credit {
        let payout: BankMatch.Payout
        if let id: PayoutID = try row.optionalIdentifier("payout_id") {
            payout = .recorded(id)
        } else {
            payout = .line(try row.place("payout_import", "payout_member", "payout_line"))
        }
        return OrderProof.Credit(
            payout: payout,
            rule: try row.text("rule"),
            file: try row.text("file_name"),
            sha256: try row.text("sha256"),
            entry: try BankEntryTable.read(row)
        )
    }
}

extension [Row] {
    /// What each row says.
    fileprivate func read<Value>(_ body: (Row) throws(SQLError) -> Value) throws(SQLError) -> [Value] {
        var values: [Value] = []
        for row in self { values.append(try body(row)) }
        return values
    }
}
