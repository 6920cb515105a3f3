import Domain
import SQL

/// Holds what reconciliation posted to what its files and breaks say.
struct SettlementAudit {
    private static let pageSize = 200

    let audit: LedgerAudit

    /// The fees, payouts and other sums of a file that counts are posted exactly once, and of any other not at all; who
    /// bears the fees was decided when they were posted.
    func imports(after place: LedgerAudit.Place?, in session: any Session) throws -> LedgerAudit.Page {
        let files = try ImportTable.files(
            """
            marketplace = \(audit.marketplace) AND \(audit.isIn("imported_at")) AND id > \(place?.id ?? "")
            ORDER BY id LIMIT \(Self.pageSize)
            """,
            in: session
        )
        var page = LedgerAudit.Page()
        page.count = files.count
        for file in files {
            let (posted, expected) = (try Self.posted(file.id, in: session), try Self.expected(file, in: session))
            guard posted != expected else { continue }
            page.findings.append(
                LedgerFinding(
                    .importIsPosted,
                    file.id.text,
                    expected: Self.text(expected),
                    found: Self.text(posted)
                )
            )
        }
        if files.count == Self.pageSize { page.next = files.last.map { Self.place($0.id.text) } }
        return page
    }

    /// A difference is posted if and only if it was accepted, and then once.
    func breaks(after place: LedgerAudit.Place?, in session: any Session) throws(SQLError) -> LedgerAudit.Page {
        let rows = try session.rows(
            """
            SELECT b.id, b.state, COUNT(e.id) AS number FROM (
                SELECT * FROM recon_break WHERE marketplace = \(audit.marketplace) AND \(audit.isIn("opened_at"))
                    AND id > \(place?.id ?? "") ORDER BY id LIMIT \(Self.pageSize)
            ) AS b LEFT JOIN journal_entry AS e ON e.break_id = b.id AND e.reverses IS NULL
                AND NOT EXISTS (SELECT 1 FROM journal_entry AS r WHERE r.reverses = e.id)
            GROUP BY b.id, b.state ORDER BY b.id
            """
        )
        var page = LedgerAudit.Page()
        page.count = rows.count
        for row in rows {
            let (state, number) = (try row.text("state"), try row.integer("number"))
            let mayBePosted: Bool = BreakState(rawValue: state)?.isPosted ?? false
            guard number > (mayBePosted ? 1 : 0) else { continue }
            page.findings.append(
                LedgerFinding(
                    .breakIsPosted,
                    try row.text("id"),
                    expected: mayBePosted ? "one entry, for it is \(state)" : "no entry, for it is \(state)",
                    found: "\(number) entries"
                )
            )
        }
        if rows.count == Self.pageSize, let last = rows.last { page.next = Self.place(try last.text("id")) }
        return page
    }

    /// An entry that undoes another is that entry the other way round.
    func reversals(after place: LedgerAudit.Place?, in session: any Session) throws(SQLError) -> LedgerAudit.Page {
        let dialect = session.dialect
        let reversed = PostingRows.exists(
            as: "q",
            of: "r",
            where: "q.debit = p.credit AND q.credit = p.debit AND q.amount = p.amount",
            dialect
        )
        let rows = try session.rows(
            """
            SELECT r.id, r.reverses, CASE WHEN e.id IS NULL OR e.kind <> r.kind OR e.currency <> r.currency
                OR e.marketplace <> r.marketplace OR e.cause <> r.cause OR e.reverses IS NOT NULL
                OR COALESCE(e.merchant, '') <> COALESCE(r.merchant, '')
                OR \(PostingRows.exists(where: "NOT \(reversed)", dialect)) THEN 1 ELSE 0 END AS is_wrong
            FROM (
                SELECT * FROM journal_entry WHERE marketplace = \(audit.marketplace) AND \(audit.isIn("at"))
                    AND reverses IS NOT NULL AND id > \(place?.id ?? "") ORDER BY id LIMIT \(Self.pageSize)
            ) AS r LEFT JOIN journal_entry AS e ON e.id = r.reverses AND e.order_id IS NULL ORDER BY r.id
            """
        )
        var page = LedgerAudit.Page()
        page.count = rows.count
        for row in rows where try row.integer("is_wrong") == 1 {
            let undone = try row.text("reverses")
            page.findings.append(
                LedgerFinding(
                    .reversalFitsEntry,
                    try row.text("id"),
                    expected: "\(undone) the other way round",
                    found: "another entry"
                )
            )
        }
        if rows.count == Self.pageSize, let last = rows.last { page.next = Self.place(try last.text("id")) }
        return page
    }

    private static func place(_ id: String) -> LedgerAudit.Place {
        LedgerAudit.Place(at: Timestamp(microseconds: 0), id: id)
    }

    private static func text(_ sums: [Sum: Int64]) -> String {
        let words = sums.map { "\($0.key.kind) \($0.key.batch) \($0.value) \($0.key.currency)" }.sorted()
        return words.isEmpty ? "nothing" : words.joined(separator: ", ")
    }

    /// A sum in the journal: the kind of entry, the batch and the currency.
    private struct Sum: Hashable {
        let kind: String
        let batch: String
        let currency: String
    }

    private static func expected(_ file: ImportedFile, in session: any Session) throws -> [Sum: Int64] {
        guard file.state == .done, let account = file.account else { return [:] }
        var sums: [Sum: Int64] = [:]
        var ids = IdentifierSource()
        for batch in try SettledBatchTable.batches(of: file.id, in: session) {
            let entries: [JournalEntry]
            do {
                entries = try batch.entries(of: file.id, pspAccount: account.name, at: file.importedAt, ids: &ids)
            } catch { return [:] }
            for entry in entries {
                let sum = Sum(kind: entry.kind.rawValue, batch: batch.batch, currency: batch.currency.code)
                sums[sum, default: 0] += entry.postings.reduce(0) { $0 + clearing($1, account.name) }
            }
        }
        return sums.filter { $0.value != 0 }
    }

    private static func posted(_ file: ImportID, in session: any Session) throws -> [Sum: Int64] {
        let rows = try session.rows(
            """
            SELECT e.kind, e.merchant, e.cause, e.currency, f.psp_account, p.debit, p.credit, p.amount
            FROM journal_entry AS e JOIN import_file AS f ON f.id = e.import_id
                \(PostingRows.join(session.dialect))
            WHERE e.import_id = \(file)
            """
        )
        var sums: [Sum: Int64] = [:]
        for row in rows {
            let batch = LateMatchPosting.batch(try row.text("cause"), of: try row.optionalText("merchant"))
            let sum = Sum(kind: try row.text("kind"), batch: batch, currency: try row.text("currency"))
            let posting = Posting(
                stored: try row.account("debit"),
                credit: try row.account("credit"),
                amount: try row.integer("amount")
            )
            sums[sum, default: 0] += clearing(posting, try row.optionalText("psp_account") ?? "")
        }
        return sums.filter { $0.value != 0 }
    }

    /// What a posting does to a PSP account's clearing.
    private static func clearing(_ posting: Posting, _ account: String) -> Int64 {
        let clearing = Account.clearing(pspAccount: account)
        return posting.debit == clearing ? posting.amount : posting.credit == clearing ? -posting.amount : 0
    }
}

/// Holds payouts to their rule: each is posted, and posted back if and only if it failed.
struct PayoutAudit {
    private static let pageSize = 500

    let audit: LedgerAudit

    func page(after place: LedgerAudit.Place?, in session: any Session) throws(SQLError) -> LedgerAudit.Page {
        let rows = try session.rows(
            """
            SELECT x.id, x.merchant, x.currency, x.amount, x.state, e.merchant AS posted_merchant,
                e.currency AS posted_currency, p.amount AS posted, p.debit, p.credit, f.id AS reversal,
                f.merchant AS reversed_merchant, f.currency AS reversed_currency, q.amount AS reversed,
                q.debit AS reversed_debit, q.credit AS reversed_credit
            FROM (
                SELECT * FROM payout WHERE marketplace = \(audit.marketplace) AND \(audit.isIn("recorded_at"))
                    AND id > \(place?.id ?? "") ORDER BY id LIMIT \(Self.pageSize)
            ) AS x
            LEFT JOIN journal_entry AS e ON e.payout_id = x.id AND e.kind = 'payout'
            \(PostingRows.leftJoin(session.dialect)) AND p.position = 0
            LEFT JOIN journal_entry AS f ON f.payout_id = x.id AND f.kind = 'payout_reversal'
            \(PostingRows.leftJoin(as: "q", of: "f", session.dialect)) AND q.position = 0
            ORDER BY x.id
            """
        )
        var page = LedgerAudit.Page()
        page.count = rows.count
        for row in rows {
            let (expected, found) = (try Self.expected(row), try Self.posted(row))
            guard expected != found else { continue }
            page.findings.append(
                LedgerFinding(.payoutIsPosted, try row.text("id"), expected: expected, found: found)
            )
        }
        if rows.count == Self.pageSize, let last = rows.last {
            page.next = LedgerAudit.Place(at: Timestamp(microseconds: 0), id: try last.text("id"))
        }
        return page
    }

    private static func expected(_ row: Row) throws(SQLError) -> String {
        let (merchant, currency) = (try row.text("merchant"), try row.text("currency"))
        let (amount, payable) = (try row.integer("amount"), "merchant/\(merchant)/payable")
        let there = "\(merchant) \(payable) to marketplace/bank \(amount) \(currency)"
        let back = "\(merchant) marketplace/bank to \(payable) \(amount) \(currency)"
        return try row.text("state") == "failed" ? "\(there), \(back)" : there
    }

    private static func posted(_ row: Row) throws(SQLError) -> String {
        func text(_ columns: [String]) throws(SQLError) -> String {
            guard let amount = try row.optionalInteger(columns[0]) else { return "nothing" }
            let words = [try row.text(columns[1]), try row.text(columns[2]), "to", try row.text(columns[3])]
            return (words + [String(amount), try row.text(columns[4])]).joined(separator: " ")
        }
        let there = try text(["posted", "posted_merchant", "debit", "credit", "posted_currency"])
        guard try row.optionalText("reversal") != nil else { return there }
        let back = try text(["reversed", "reversed_merchant", "reversed_debit", "reversed_credit", "reversed_currency"])
        return "\(there), \(back)"
    }
}

/// Holds merchants' statements to their rule: each adds up, and over all time comes to the payable account.
struct StatementAudit {
    /// How many merchants are looked at in a page; what is not rolled up is read once for each page.
    private static let pageSize = 200

    let audit: LedgerAudit

    func page(after place: LedgerAudit.Place?, in session: any Session) throws(SQLError) -> LedgerAudit.Page {
        let merchants = try session.rows(
            """
            SELECT id FROM merchant WHERE marketplace = \(audit.marketplace) AND id > \(place?.id ?? "")
            ORDER BY id LIMIT \(Self.pageSize)
            """
        )
        var page = LedgerAudit.Page()
        page.count = merchants.count
        guard let last = merchants.last else { return page }
        var payable: [String: Int64] = [:]
        if audit.period.upperBound == LedgerAudit.allTime.upperBound {
            for balance in try LedgerBalances.all(of: audit.marketplace, in: session) {
                payable["\(balance.account) \(balance.currency.code)"] = -balance.balance
            }
        }
        for row in merchants {
            let merchant: MerchantID = try row.identifier("id")
            let currencies = try session.rows(
                """
                SELECT DISTINCT e.currency FROM journal_entry AS e
                WHERE e.marketplace = \(audit.marketplace) AND e.merchant = \(merchant) AND \(StatementTable.isIndexed)
                """
            )
            for row in currencies {
                page.findings += try findings(merchant, try row.currency("currency"), payable, in: session)
            }
        }
        if merchants.count == Self.pageSize {
            page.next = LedgerAudit.Place(at: Timestamp(microseconds: 0), id: try last.text("id"))
        }
        return page
    }

    private func findings(
        _ merchant: MerchantID,
        _ currency: Currency,
        _ payable: [String: Int64],
        in session: any Session
    ) throws(SQLError) -> [LedgerFinding] {
        let scope = StatementScope(
            marketplace: audit.marketplace,
            merchant: merchant,
            currency: currency,
            from: audit.period.lowerBound,
            to: audit.period.upperBound
        )
        guard let scope else { return [] }
        let sums = try StatementTable.sums(scope, in: session)
        let subject = "\(merchant) \(currency)"
        var findings: [LedgerFinding] = []
        if sums.opening + sums.amounts.net != sums.closing {
            let expected = "\(sums.opening) and lines of \(sums.amounts.net)"
            findings.append(LedgerFinding(.statementAddsUp, subject, expected: expected, found: "\(sums.closing)"))
        }
        let account = "\(Account.payable(merchant: merchant).path) \(currency.code)"
        if let held = payable[account], held != sums.closing {
            findings.append(
                LedgerFinding(
                    .statementAddsUp,
                    subject,
                    expected: "\(held) on the payable account",
                    found: "\(sums.closing)"
                )
            )
        }
        return findings
    }
}
