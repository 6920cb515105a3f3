import Domain
import SQL

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
            LEFT JOIN posting AS p ON p.entry_id = e.id AND p.position = 0
            LEFT JOIN journal_entry AS f ON f.payout_id = x.id AND f.kind = 'payout_reversal'
            LEFT JOIN posting AS q ON q.entry_id = f.id AND q.position = 0
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
