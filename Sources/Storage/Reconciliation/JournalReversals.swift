import Domain
import SQL

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
            FROM journal_entry AS e JOIN posting AS p ON p.entry_id = e.id
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
