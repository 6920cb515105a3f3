import Domain
import SQL
import StrictJSON

/// The rows of the journal: entries and their postings.
enum JournalRows {
    /// Adds entries; none of them may be there yet.
    ///
    /// The moment of posting is the entry's, or the end of what is closed of the books if that is later.
    ///
    /// - Parameters:
    ///   - entries: the entries.
    ///   - order: the order they are about; nil for payouts and what reconciliation posts.
    ///   - marketplace: whose books they are in.
    ///   - currency: what the postings are in.
    ///   - session: the transaction.
    /// - Throws: `SQLError`; much of it surfaces with the commit.
    static func insert(
        _ entries: [JournalEntry],
        of order: OrderID?,
        marketplace: String,
        currency: Currency,
        in session: any Session
    ) throws(SQLError) {
        for start in stride(from: 0, to: entries.count, by: entriesPerStatement) {
            let some = Array(entries[start..<min(start + entriesPerStatement, entries.count)])
            try insert(some, order, marketplace, currency, in: session)
        }
    }

    /// How many entries a statement takes; a step of an order has a few, an import may have thousands.
    private static let entriesPerStatement = 100

    private static func insert(
        _ entries: [JournalEntry],
        _ order: OrderID?,
        _ marketplace: String,
        _ currency: Currency,
        in session: any Session
    ) throws(SQLError) {
        let rows = entries.map { entry in
            let words = [
                entry.id.sqlValue, entry.merchant.sqlValue, entry.payment.sqlValue, entry.operation.sqlValue,
                entry.dispute.sqlValue, entry.payout.sqlValue,
            ]
            return words + causes(entry)
                + [entry.kind.rawValue.sqlValue, text(entry.postings).sqlValue, entry.at.sqlValue]
        }
        let integer: SQL = "\(unsafeText: session.dialect.integerType)"
        // A time that is closed takes no more entries; what comes too late for it is posted right behind it.
        try session.run(
            """
            WITH added (id, merchant, payment_id, operation_id, dispute_id, payout_id, import_id, break_id, cause, reverses,
                kind, postings, at) AS (VALUES \(rows: rows))
            INSERT INTO journal_entry (id, marketplace, merchant, order_id, payment_id, operation_id, dispute_id, payout_id,
                import_id, break_id, cause, reverses, kind, currency, postings, at)
            SELECT a.id, CAST(\(marketplace) AS TEXT), a.merchant, CAST(\(order) AS TEXT), a.payment_id, a.operation_id,
                a.dispute_id, a.payout_id, a.import_id, a.break_id, a.cause, a.reverses, a.kind,
                CAST(\(currency.code) AS TEXT), a.postings,
                CASE WHEN c.closed_until > CAST(a.at AS \(integer)) THEN c.closed_until ELSE CAST(a.at AS \(integer)) END
            FROM added AS a LEFT JOIN ledger_close AS c ON c.marketplace = \(marketplace)
            """
        )
    }

    /// The postings as they are stored: `[[debit, credit, amount], …]`.
    private static func text(_ postings: [Posting]) -> String {
        JSON.array(
            postings.map { .array([.string($0.debit.path), .string($0.credit.path), .integer($0.amount)]) }
        ).text
    }

    /// What reconciliation posts an entry for: import, break, and what tells it from others; and what it undoes.
    private static func causes(_ entry: JournalEntry) -> [SQLValue] {
        switch entry.cause {
        case nil: [.null, .null, .null, .null]
        case .settlement(let file, let text): [file.sqlValue, .null, text.sqlValue, entry.reverses.sqlValue]
        case .resolution(let id, let number): [.null, id.sqlValue, String(number).sqlValue, entry.reverses.sqlValue]
        }
    }
}

/// Undoes what reconciliation posted: by entries of the same kind, the other way round.
enum JournalReversals {
    /// Posts back the entries `e` that satisfy a condition, and that are neither undone nor undo another.
    ///
    /// - Throws: `SQLError`.
    static func reverse(
        _ condition: SQL,
        at now: Timestamp,
        ids: inout IdentifierSource,
        in session: any Session
    ) throws(SQLError) -> [EntryID] {
        let rows = try session.rows(
            """
            SELECT e.id, e.marketplace, e.merchant, e.import_id, e.break_id, e.cause, e.kind, e.currency, p.debit,
                p.credit, p.amount
            FROM journal_entry AS e \(PostingRows.join(session.dialect))
            WHERE \(condition) AND e.reverses IS NULL
                AND NOT EXISTS (SELECT 1 FROM journal_entry AS r WHERE r.reverses = e.id)
            ORDER BY e.id, p.position
            """
        )
        var entries: [Group: [JournalEntry]] = [:]
        var start = 0
        while start < rows.count {
            let id: EntryID = try rows[start].identifier("id")
            var end = start
            var postings: [Posting] = []
            while end < rows.count, try rows[end].text("id") == id.text {
                postings.append(try posting(rows[end]).reversed)
                end += 1
            }
            let row = rows[start]
            let entry = JournalEntry(
                id: ids.make(at: now),
                kind: try row.word("kind"),
                merchant: try row.optionalIdentifier("merchant"),
                cause: try cause(row),
                reverses: id,
                at: now,
                postings: postings
            )
            let group = Group(marketplace: try row.text("marketplace"), currency: try row.currency("currency"))
            entries[group, default: []].append(entry)
            start = end
        }
        for (group, entries) in entries.sorted(by: { $0.key.currency.code < $1.key.currency.code }) {
            try JournalRows.insert(
                entries,
                of: nil,
                marketplace: group.marketplace,
                currency: group.currency,
                in: session
            )
        }
        return entries.values.flatMap { $0.map(\.id) }.sorted()
    }

    private struct Group: Hashable {
        let marketplace: String
        let currency: Currency
    }

    private static func posting(_ row: Row) throws(SQLError) -> Posting {
        Posting(
            stored: try row.account("debit"),
            credit: try row.account("credit"),
            amount: try row.integer("amount")
        )
    }

    private static func cause(_ row: Row) throws(SQLError) -> JournalEntry.Cause {
        let text = try row.text("cause")
        if let file: ImportID = try row.optionalIdentifier("import_id") { return .settlement(file, text) }
        guard let number = Int(text) else { throw .unexpectedValue(column: "cause") }
        return .resolution(try row.identifier("break_id"), number)
    }
}
