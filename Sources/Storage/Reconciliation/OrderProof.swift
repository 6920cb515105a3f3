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
        let (orders, lineRows, payoutRows, entryRows) = try session.rows(
            "SELECT currency FROM orders WHERE id = \(order) AND marketplace = \(marketplace)",
            lines(order),
            payouts(order),
            entries(order, session.dialect)
        )
        guard let row = orders.first else { return nil }
        let currency = try row.currency("currency")
        let (lines, payouts) = (try lineRows.read(line), try payoutRows.read(payout))
        let entries = try entries(entryRows)
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

    private static func entries(_ order: OrderID, _ dialect: Dialect) -> SQL {
        """
        SELECT e.id, e.kind, e.payment_id, e.operation_id, e.dispute_id, e.at, p.debit, p.credit, p.amount
        FROM journal_entry AS e \(PostingRows.join(dialect))
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

/// What files and books say of one order, side by side.
package struct OrderProof: Hashable, Sendable {
    /// A settlement line of the order.
    package struct Line: Hashable, Sendable {
        /// The file's name as it was handed in.
        package let file: String
        /// The file's SHA-256.
        package let sha256: String
        /// The PSP account that the file is of.
        package let pspAccount: String
        /// The line.
        package let line: ImportedLine
        /// What it was matched to, and by which rule.
        package let match: LineMatch
        /// Whether the line was matched to another payment as well, so that only a part of it is of this.
        package let isShared: Bool
    }

    /// A payout of a batch that has lines of the order.
    package struct BatchPayout: Hashable, Sendable {
        /// The import of the batch's lines.
        package let batchFile: ImportID
        /// The batch.
        package let batch: String
        /// The rule by which batch and payout were matched.
        package let rule: String
        /// The payout line's file, by its name.
        package let file: String
        /// Where the payout line stands.
        package let place: ImportPlace
        /// The payout line.
        package let line: ImportedLine
    }

    /// A bank entry that a payout explains.
    package struct Credit: Hashable, Sendable {
        /// What was paid out.
        package let payout: BankMatch.Payout
        /// The rule by which they were matched.
        package let rule: String
        /// The statement's file, by its name.
        package let file: String
        /// The statement's SHA-256.
        package let sha256: String
        /// The entry.
        package let entry: ImportedBankEntry
    }

    /// A payout to a merchant, and what of the order it covers.
    package struct Coverage: Hashable, Sendable {
        /// The merchant.
        package let merchant: MerchantID
        /// The payout.
        package let payout: PayoutID
        /// Its reference.
        package let reference: String
        /// When it was paid.
        package let paidAt: Timestamp
        /// All that it paid, in minor units.
        package let amount: Int64
        /// What of that is for this order, earlier proceeds being paid first.
        package let covered: Int64
    }

    /// A journal entry about the order.
    package struct Entry: Hashable, Sendable {
        /// The entry.
        package let id: EntryID
        /// What it records.
        package let kind: JournalEntry.Kind
        /// The payment.
        package let payment: PaymentID
        /// The operation.
        package let operation: OperationID?
        /// The dispute.
        package let dispute: DisputeID?
        /// When it was posted.
        package let at: Timestamp
        /// Its postings.
        package let postings: [Posting]
    }

    /// The order.
    package let order: OrderID
    /// The currency.
    package let currency: Currency
    /// Its lines, by file and row.
    package let lines: [Line]
    /// What its batches paid out.
    package let payouts: [BatchPayout]
    /// What arrived at the bank of that, and what left it to merchants.
    package let credits: [Credit]
    /// What merchants were paid of it.
    package let coverage: [Coverage]
    /// What is posted about it.
    package let entries: [Entry]
    /// The breaks about it, resolved or not.
    package let breaks: [StoredBreak]
}

/// Which payouts to merchants cover an order's proceeds.
///
/// A payout is of a balance, not of orders; what a merchant earned first is taken to be paid first. An order's share is
/// the stretch of all the merchant ever earned in which its own first entry lies.
private enum MerchantCoverage {
    /// The payouts that cover what entries gave to merchants, by merchant and time.
    static func of(
        _ entries: [OrderProof.Entry],
        _ currency: Currency,
        marketplace: String,
        in session: any Session
    ) throws(SQLError) -> [OrderProof.Coverage] {
        var coverage: [OrderProof.Coverage] = []
        for earned in Self.earned(in: entries) {
            let (before, paidRows) = try session.rows(
                Self.before(earned, currency, marketplace, session.dialect),
                payouts(earned.merchant, currency, marketplace)
            )
            let begin = max(0, try before.first?.integer("earned") ?? 0)
            let end = begin + earned.amount
            var paid: Int64 = 0
            for row in paidRows {
                let amount = try row.integer("amount")
                let covered = min(end, paid + amount) - max(begin, paid)
                paid += amount
                guard covered > 0 else { continue }
                coverage.append(
                    OrderProof.Coverage(
                        merchant: earned.merchant,
                        payout: try row.identifier("id"),
                        reference: try row.text("reference"),
                        paidAt: try row.time("paid_at"),
                        amount: amount,
                        covered: covered
                    )
                )
            }
        }
        return coverage
    }

    /// What one merchant got of an order, net, and its first entry.
    private struct Earned {
        let merchant: MerchantID
        let first: OrderProof.Entry
        var amount: Int64
    }

    private static func earned(in entries: [OrderProof.Entry]) -> [Earned] {
        var earned: [MerchantID: Earned] = [:]
        for entry in entries {
            for posting in entry.postings {
                if case .payable(let merchant) = posting.credit {
                    earned[merchant, default: Earned(merchant: merchant, first: entry, amount: 0)].amount +=
                        posting.amount
                }
                if case .payable(let merchant) = posting.debit {
                    earned[merchant, default: Earned(merchant: merchant, first: entry, amount: 0)].amount -=
                        posting.amount
                }
            }
        }
        return earned.values.filter { $0.amount > 0 }.sorted { $0.merchant < $1.merchant }
    }

    /// What the merchant had earned, net of all but payouts, before the order's first entry.
    private static func before(
        _ earned: Earned,
        _ currency: Currency,
        _ marketplace: String,
        _ dialect: Dialect
    ) -> SQL {
        let account = Account.payable(merchant: earned.merchant).path
        return """
            SELECT CAST(COALESCE(SUM(CASE WHEN p.credit = CAST(\(account) AS TEXT) THEN p.amount
                WHEN p.debit = CAST(\(account) AS TEXT) THEN 0 - p.amount ELSE 0 END), 0)
                AS \(unsafeText: dialect.integerType)) AS earned
            FROM journal_entry AS e \(PostingRows.join(dialect))
            WHERE e.marketplace = \(marketplace) AND e.merchant = \(earned.merchant)
                AND e.currency = \(currency.code) AND (e.at, e.id) < (\(earned.first.at), \(earned.first.id))
                AND e.kind NOT IN ('payout', 'payout_reversal') AND \(StatementTable.isIndexed)
            """
    }

    private static func payouts(_ merchant: MerchantID, _ currency: Currency, _ marketplace: String) -> SQL {
        """
        SELECT id, reference, paid_at, amount FROM payout
        WHERE marketplace = \(marketplace) AND merchant = \(merchant) AND currency = \(currency.code)
            AND state = 'paid' ORDER BY recorded_at, id
        """
    }
}
