import Domain
import SQL

/// Holds journal entries to their rules: each with its postings, its effect and its payment.
struct EntryAudit {
    private static let pageSize = 500

    let audit: LedgerAudit

    func page(after place: LedgerAudit.Place?, in session: any Session) throws(SQLError) -> LedgerAudit.Page {
        var page = LedgerAudit.Page()
        var entry: [Row] = []
        var last: LedgerAudit.Place?
        for row in try session.rows(question(after: place)) {
            let id = try row.text("id")
            if id != last?.id, !entry.isEmpty {
                page.findings += try findings(entry)
                page.count += 1
                entry = []
            }
            last = LedgerAudit.Place(at: try row.time("at"), id: id)
            entry.append(row)
        }
        guard !entry.isEmpty else { return page }
        page.findings += try findings(entry)
        page.count += 1
        page.next = page.count == Self.pageSize ? last : nil
        return page
    }

    private func question(after place: LedgerAudit.Place?) -> SQL {
        let behind: SQL = place.map { "AND at >= \($0.at) AND (at > \($0.at) OR id > \($0.id))" } ?? ""
        return """
            SELECT e.id, e.at, e.marketplace, e.merchant, e.order_id, e.payment_id, e.currency,
                COALESCE(e.operation_id, e.dispute_id, e.payout_id) AS cause,
                COALESCE(e.import_id, e.break_id) AS settled, COALESCE(f.marketplace, b.marketplace, '') AS settled_by,
                COALESCE(o.order_id, d.order_id, '') AS cause_order, COALESCE(a.payment_id, d.payment_id, '')
                AS cause_payment, COALESCE(x.merchant, '') AS cause_merchant, x.id AS payout,
                COALESCE(y.merchant, '') AS payment_merchant, COALESCE(y.order_id, '') AS payment_order,
                COALESCE(r.currency, '') AS order_currency, p.position, p.marketplace AS posting_marketplace,
                p.debit, p.credit, p.currency AS posting_currency
            FROM (
                SELECT * FROM journal_entry WHERE marketplace = \(audit.marketplace) AND \(audit.isIn("at")) \(behind)
                ORDER BY at, id LIMIT \(Self.pageSize)
            ) AS e
            LEFT JOIN posting AS p ON p.entry_id = e.id LEFT JOIN operation AS o ON o.id = e.operation_id
            LEFT JOIN attempt AS a ON a.id = o.attempt_id LEFT JOIN dispute AS d ON d.id = e.dispute_id
            LEFT JOIN import_file AS f ON f.id = e.import_id LEFT JOIN recon_break AS b ON b.id = e.break_id
            LEFT JOIN payout AS x ON x.id = e.payout_id LEFT JOIN payment AS y ON y.id = e.payment_id
            LEFT JOIN orders AS r ON r.id = e.order_id
            ORDER BY e.at, e.id, p.position
            """
    }

    /// What is wrong with one entry, a row for each of its postings.
    private func findings(_ rows: [Row]) throws(SQLError) -> [LedgerFinding] {
        let entry = rows[0]
        let id = try entry.text("id")
        var findings = try effect(of: entry, id)
        let postings = try entry.value("position") == .null ? [] : rows
        var positions: [Int64] = []
        for posting in postings {
            positions.append(try posting.integer("position"))
            findings += try self.posting(posting, of: entry, id)
        }
        if positions.isEmpty || positions != Array(0..<Int64(positions.count)) {
            let expected = positions.isEmpty ? "postings" : "postings numbered 0 to \(positions.count - 1)"
            findings.append(
                LedgerFinding(
                    .entryBalances,
                    id,
                    expected: expected,
                    found: positions.isEmpty ? "none" : "\(positions)"
                )
            )
        }
        return findings
    }

    private func posting(_ posting: Row, of entry: Row, _ id: String) throws(SQLError) -> [LedgerFinding] {
        let place = "\(id)/\(try posting.integer("position"))"
        let merchant = try entry.optionalText("merchant")
        var expected = [try entry.text("marketplace"), try entry.text("currency")]
        var found = [try posting.text("posting_marketplace"), try posting.text("posting_currency")]
        for path in [try posting.text("debit"), try posting.text("credit")] {
            guard let account = Account(path: path) else {
                (expected, found) = (expected + ["accounts"], found + [path])
                continue
            }
            guard let owner = account.merchant, owner.text != merchant else { continue }
            (expected, found) = (expected + [merchant ?? "no merchant"], found + [owner.text])
        }
        guard expected != found else { return [] }
        return [
            LedgerFinding(
                .postingFitsEntry,
                place,
                expected: expected.joined(separator: " "),
                found: found.joined(separator: " ")
            )
        ]
    }

    private func effect(of entry: Row, _ id: String) throws(SQLError) -> [LedgerFinding] {
        let merchant = try entry.optionalText("merchant") ?? ""
        var findings: [LedgerFinding] = []
        func compare(_ rule: LedgerRule, _ what: String, _ found: [String], _ expected: [String]) {
            guard found != expected else { return }
            func text(_ words: [String]) -> String {
                "\(what) \(words.map { $0.isEmpty ? "none" : $0 }.joined(separator: " "))"
            }
            findings.append(LedgerFinding(rule, id, expected: text(expected), found: text(found)))
        }
        if let settled = try entry.optionalText("settled") {
            compare(.entryHasEffect, "\(settled) of", [try entry.text("settled_by")], [try entry.text("marketplace")])
            return findings
        }
        guard let order = try entry.optionalText("order_id") else {
            compare(.entryHasEffect, "payout of", [try entry.text("cause_merchant")], [merchant])
            return findings
        }
        let payment = try entry.text("payment_id")
        compare(
            .entryHasEffect,
            "\(try entry.text("cause")) of",
            [try entry.text("cause_order"), try entry.text("cause_payment")],
            [order, payment]
        )
        compare(
            .entryFitsPayment,
            payment,
            [merchant, order, try entry.text("currency")],
            [
                try entry.text("payment_merchant"), try entry.text("payment_order"), try entry.text("order_currency"),
            ]
        )
        return findings
    }
}

extension Account {
    /// The merchant whose account it is; nil for the marketplace's and for PSPs'.
    fileprivate var merchant: MerchantID? {
        switch self {
        case .heldFor(let merchant), .directTo(let merchant), .payable(let merchant), .receivable(let merchant):
            merchant
        case .held, .clearing, .direct, .bank, .refundsBorne, .disputesBorne, .commission, .commissionTax, .tax,
            .reserve, .pspFees,
            .suspense, .conversion, .differences:
            nil
        }
    }
}
