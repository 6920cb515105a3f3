import Domain
import SQL

/// Bringing what a file posted up to matches that came later: a line that nothing met turns out to be a merchant's.
enum LateMatchPosting {
    /// What the sums of a batch are told apart by.
    private struct Key: Hashable, Comparable {
        let kind: JournalEntry.Kind
        let merchant: MerchantID?
        let cause: String
        let currency: Currency
        /// The account beside the PSP account's clearing.
        let other: Account

        static func < (left: Key, right: Key) -> Bool { left.words.lexicographicallyPrecedes(right.words) }

        private var words: [String] { [currency.code, kind.rawValue, cause, merchant?.text ?? "", other.path] }
    }

    /// How many lines are asked for at once.
    private static let linesPerStatement = 500
    /// What stands between the cause of a first entry and the run that posted another one for it.
    private static let mark: Character = "\u{1F}"

    /// The batch that an entry is about, by its cause, which begins with the merchant if it is about one.
    static func batch(_ cause: String, of merchant: String?) -> String {
        String(base(cause).dropFirst(merchant.map { $0.count + 1 } ?? 0))
    }

    /// The cause of a batch's first entry, of which others may say more.
    private static func base(_ cause: String) -> String { String(cause.prefix { $0 != mark }) }

    /// Posts what is different now in the batches of lines that were matched behind the end of their files.
    ///
    /// Who bears the fees of such a batch is decided again, all of it.
    ///
    /// - Parameters:
    ///   - lines: the lines.
    ///   - run: what matched them.
    ///   - marketplace: the marketplace.
    ///   - now: when it is posted.
    ///   - ids: where the entries' identifiers come from.
    ///   - session: the transaction.
    /// - Returns: the identifiers of the entries posted.
    /// - Throws: `SettlementOverflow` or `SQLError`.
    static func post(
        for lines: [ImportPlace],
        run: BreakRun,
        of marketplace: String,
        at now: Timestamp,
        ids: inout IdentifierSource,
        in session: any Session
    ) throws -> [EntryID] {
        var posted: [EntryID] = []
        for (id, lines) in Dictionary(grouping: lines, by: \.file).sorted(by: { $0.key < $1.key }) {
            guard let file = try ImportTable.find(id, of: marketplace, in: session), file.state == .done,
                let account = file.account
            else { continue }
            let batches = try batches(of: lines, in: id, in: session)
            guard !batches.isEmpty else { continue }
            let clearing = Account.clearing(pspAccount: account.name)
            var differences: [Key: Int64] = [:]
            for batch in try SettledBatchTable.batches(of: id, in: session) where batches.contains(batch.batch) {
                for entry in try batch.entries(of: id, pspAccount: account.name, at: now, ids: &ids) {
                    add(entry, 1, batch.currency, clearing, &differences)
                }
            }
            for (entry, currency) in try entries(of: id, in: session)
            where batches.contains(batch(text(entry), of: entry.merchant?.text)) {
                add(entry, -1, currency, clearing, &differences)
            }
            for (key, amount) in differences.sorted(by: { $0.key < $1.key }) where amount != 0 {
                let posting = Posting(stored: key.other, credit: clearing, amount: abs(amount))
                let entry = JournalEntry(
                    id: ids.make(at: now),
                    kind: key.kind,
                    merchant: key.merchant,
                    cause: .settlement(id, "\(key.cause)\(mark)\(run.id)"),
                    at: now,
                    postings: [amount < 0 ? posting.reversed : posting]
                )
                try JournalRows.insert(
                    [entry],
                    of: nil,
                    marketplace: marketplace,
                    currency: key.currency,
                    in: session
                )
                posted.append(entry.id)
            }
        }
        return posted
    }

    /// The batches of lines that a match, or a line that they repeat, may change something of; empty for lines of none.
    private static func batches(
        of lines: [ImportPlace],
        in file: ImportID,
        in session: any Session
    ) throws(SQLError) -> Set<String> {
        var batches: Set<String> = []
        var rest = lines[...]
        while !rest.isEmpty {
            let rows = rest.prefix(linesPerStatement).map { Int64($0.row).sqlValue }
            rest = rest.dropFirst(linesPerStatement)
            for row in try session.rows(
                """
                SELECT DISTINCT COALESCE(batch, '') AS batch FROM settlement_line
                WHERE import_id = \(file) AND line IN (\(list: rows))
                    AND (fee_units <> 0 OR sold_currency IS NOT NULL
                        OR kind IN ('other', 'adjustment', 'reserve', 'payout'))
                """
            ) { batches.insert(try row.text("batch")) }
        }
        return batches
    }

    /// What was posted for a file, and posted back, with the currency of each.
    private static func entries(
        of file: ImportID,
        in session: any Session
    ) throws(SQLError) -> [(entry: JournalEntry, currency: Currency)] {
        let rows = try session.rows(
            """
            SELECT e.id, e.kind, e.merchant, e.cause, e.at, e.currency, p.debit, p.credit, p.amount
            FROM journal_entry AS e \(PostingRows.join(session.dialect))
            WHERE e.import_id = \(file) ORDER BY e.id, p.position
            """
        )
        var entries: [(entry: JournalEntry, currency: Currency)] = []
        for row in rows {
            let posting = Posting(
                stored: try row.account("debit"),
                credit: try row.account("credit"),
                amount: try row.integer("amount")
            )
            let entry = JournalEntry(
                id: try row.identifier("id"),
                kind: try row.word("kind"),
                merchant: try row.optionalIdentifier("merchant"),
                cause: .settlement(file, try row.text("cause")),
                at: try row.time("at"),
                postings: [posting]
            )
            entries.append((entry, try row.currency("currency")))
        }
        return entries
    }

    private static func text(_ entry: JournalEntry) -> String {
        if case .settlement(_, let text)? = entry.cause { text } else { "" }
    }

    private static func add(
        _ entry: JournalEntry,
        _ sign: Int64,
        _ currency: Currency,
        _ clearing: Account,
        _ differences: inout [Key: Int64]
    ) {
        for posting in entry.postings {
            let isCredit = posting.credit == clearing
            let key = Key(
                kind: entry.kind,
                merchant: entry.merchant,
                cause: base(text(entry)),
                currency: currency,
                other: isCredit ? posting.debit : posting.credit
            )
            differences[key, default: 0] += sign * (isCredit ? posting.amount : -posting.amount)
        }
    }
}
