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
        let rows = try session.rows(question(after: place, session.dialect))
        let owners = try Owners(of: rows, in: session)
        for row in rows {
            let id = try row.text("id")
            if id != last?.id, !entry.isEmpty {
                page.findings += try findings(entry, owners)
                page.count += 1
                entry = []
            }
            last = LedgerAudit.Place(at: try row.time("at"), id: id)
            entry.append(row)
        }
        guard !entry.isEmpty else { return page }
        page.findings += try findings(entry, owners)
        page.count += 1
        page.next = page.count == Self.pageSize ? last : nil
        return page
    }

    private func question(after place: LedgerAudit.Place?, _ dialect: Dialect) -> SQL {
        let behind: SQL = place.map { "AND at >= \($0.at) AND (at > \($0.at) OR id > \($0.id))" } ?? ""
        return """
            SELECT e.id, e.at, e.marketplace, e.merchant, e.order_id, e.payment_id, e.currency,
                COALESCE(e.operation_id, e.dispute_id, e.payout_id) AS cause,
                COALESCE(e.import_id, e.break_id) AS settled, COALESCE(f.marketplace, b.marketplace, '') AS settled_by,
                e.operation_id, COALESCE(d.order_id, '') AS cause_order, COALESCE(d.payment_id, '') AS cause_payment,
                COALESCE(x.merchant, '') AS cause_merchant, x.id AS payout,
                COALESCE(y.merchant, '') AS payment_merchant, COALESCE(y.order_id, '') AS payment_order,
                COALESCE(r.currency, '') AS order_currency, p.position, p.debit, p.credit
            FROM (
                SELECT * FROM journal_entry WHERE marketplace = \(audit.marketplace) AND \(audit.isIn("at")) \(behind)
                ORDER BY at, id LIMIT \(Self.pageSize)
            ) AS e
            \(PostingRows.leftJoin(dialect)) LEFT JOIN dispute AS d ON d.id = e.dispute_id
            LEFT JOIN import_file AS f ON f.id = e.import_id LEFT JOIN recon_break AS b ON b.id = e.break_id
            LEFT JOIN payout AS x ON x.id = e.payout_id
            LEFT JOIN payment AS y ON y.order_id = e.order_id AND y.id = e.payment_id
            LEFT JOIN orders AS r ON r.id = e.order_id
            ORDER BY e.at, e.id, p.position
            """
    }

    /// The order and the payment of each operation that entries are about.
    private struct Owners {
        private var owners: [String: [String]] = [:]
        /// Orders that cannot be read, which another rule is about.
        private var unreadable: Set<String> = []

        init(of rows: [Row], in session: any Session) throws(SQLError) {
            var ids: Set<OrderID> = []
            for row in rows where try row.value("operation_id") != .null {
                if let id = OrderID(try row.text("order_id")) { ids.insert(id) }
            }
            let found = try OrderReader.loadReadable(ids.sorted(), in: session)
            unreadable = Set(found.unreadable.keys.map(\.text))
            for order in found.orders {
                for payment in order.payments {
                    for operation in payment.attempts.flatMap(\.operations) {
                        owners[operation.id.text] = [order.id.text, payment.id.text]
                    }
                }
            }
        }

        /// The order and the payment of an operation; what an entry says of one whose order cannot be read.
        func of(_ operation: String, said order: String, _ payment: String) -> [String] {
            unreadable.contains(order) ? [order, payment] : owners[operation] ?? ["", ""]
        }
    }

    /// What is wrong with one entry, a row for each of its postings.
    private func findings(
        _ rows: [Row],
        _ owners: Owners
    ) throws(SQLError) -> [LedgerFinding] {
        let entry = rows[0]
        let id = try entry.text("id")
        var findings = try effect(of: entry, id, owners)
        // Marketplace, currency and number of a posting follow from where it stands in its entry.
        guard try entry.value("position") != .null else {
            return findings + [LedgerFinding(.entryBalances, id, expected: "postings", found: "none")]
        }
        for posting in rows { findings += try self.posting(posting, of: entry, id) }
        return findings
    }

    private func posting(_ posting: Row, of entry: Row, _ id: String) throws(SQLError) -> [LedgerFinding] {
        let place = "\(id)/\(try posting.integer("position"))"
        let merchant = try entry.optionalText("merchant")
        var (expected, found): ([String], [String]) = ([], [])
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

    private func effect(
        of entry: Row,
        _ id: String,
        _ owners: Owners
    ) throws(SQLError) -> [LedgerFinding] {
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
        var cause = [try entry.text("cause_order"), try entry.text("cause_payment")]
        if let operation = try entry.optionalText("operation_id") {
            cause = owners.of(operation, said: order, payment)
        }
        compare(.entryHasEffect, "\(try entry.text("cause")) of", cause, [order, payment])
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
        case .held, .clearing, .direct, .bank, .refundsBorne, .disputesBorne, .commission, .commissionTax, .tax, .tips,
            .shipping, .reserve, .pspFees, .suspense, .conversion, .differences:
            nil
        }
    }
}

/// Holds what is rolled up to its rule: each hour by itself, and the last of them with the running balances.
struct RollupAudit {
    /// How many hours are looked at in a page.
    private static let pageSize = 50
    private static let limit = 100

    let audit: LedgerAudit

    func page(after place: LedgerAudit.Place?, in session: any Session) throws(SQLError) -> LedgerAudit.Page {
        let hours = try session.rows(
            """
            SELECT DISTINCT until FROM ledger_period WHERE marketplace = \(audit.marketplace)
                AND \(audit.isIn("until")) AND until > \(place?.at ?? Timestamp(microseconds: -1))
            ORDER BY until LIMIT \(Self.pageSize)
            """
        )
        var page = LedgerAudit.Page()
        page.count = hours.count
        var begin: Timestamp
        if let place { begin = place.at } else { begin = try self.begin(in: session) }
        for row in hours {
            let end = try row.time("until")
            page.findings += try compare(begin..<end, in: session)
            begin = end
        }
        if hours.count == Self.pageSize {
            page.next = LedgerAudit.Place(at: begin, id: "")
        } else if audit.period.upperBound == LedgerAudit.allTime.upperBound {
            page.findings += try running(since: begin, in: session)
        }
        return page
    }

    /// The end of the last hour before the period.
    private func begin(in session: any Session) throws(SQLError) -> Timestamp {
        try session.rows(
            """
            SELECT until FROM ledger_period WHERE marketplace = \(audit.marketplace)
                AND until < \(audit.period.lowerBound) ORDER BY until DESC LIMIT 1
            """
        ).first?.time("until") ?? Timestamp(microseconds: 0)
    }

    /// What an hour added to each account, by what is rolled up and by its postings.
    private func compare(_ hour: Range<Timestamp>, in session: any Session) throws(SQLError) -> [LedgerFinding] {
        let integer = session.dialect.integerType
        func before(_ column: SQL) -> SQL {
            """
            COALESCE((SELECT b.\(column) FROM ledger_period AS b WHERE b.marketplace = l.marketplace
                AND b.account = l.account AND b.currency = l.currency AND b.until < l.until
                ORDER BY b.until DESC LIMIT 1), 0)
            """
        }
        func sum(_ column: SQL) -> SQL { "CAST(SUM(s.\(column)) AS \(unsafeText: integer)) AS \(column)" }
        let rows = try session.rows(
            """
            SELECT s.account, s.currency, \(sum("debits")), \(sum("credits")), \(sum("posted_debits")),
                \(sum("posted_credits"))
            FROM (
                SELECT l.account, l.currency, l.debits - \(before("debits")) AS debits,
                    l.credits - \(before("credits")) AS credits, 0 AS posted_debits, 0 AS posted_credits
                FROM ledger_period AS l WHERE l.marketplace = \(audit.marketplace) AND l.until = \(hour.upperBound)
                UNION ALL SELECT account, currency, 0, 0, debits, credits
                FROM (\(LedgerRollup.sides(of: audit.marketplace, hour, session.dialect))) AS posted
            ) AS s GROUP BY s.account, s.currency
            HAVING SUM(s.debits) <> SUM(s.posted_debits) OR SUM(s.credits) <> SUM(s.posted_credits)
            ORDER BY s.account, s.currency LIMIT \(Self.limit)
            """
        )
        return try rows.map { row throws(SQLError) in
            let (debits, credits) = (try row.integer("debits"), try row.integer("credits"))
            let posted = (try row.integer("posted_debits"), try row.integer("posted_credits"))
            return LedgerFinding(
                .rollupEqualsPostings,
                "\(try row.text("account")) \(try row.text("currency")) \(hour.upperBound)",
                expected: "debits \(posted.0), credits \(posted.1)",
                found: "debits \(debits), credits \(credits)"
            )
        }
    }

    /// What is wrong with the running balances, and with what lies between the last hour and the end of what is rolled.
    private func running(since last: Timestamp, in session: any Session) throws(SQLError) -> [LedgerFinding] {
        let marketplace = audit.marketplace
        let integer = session.dialect.integerType
        let (unrolled, unbalanced, late) = try session.rows(
            """
            SELECT b.account, b.currency, b.debits, b.credits, b.until FROM ledger_balance AS b
            WHERE b.marketplace = \(marketplace) AND NOT EXISTS (
                SELECT 1 FROM ledger_period AS l WHERE l.marketplace = b.marketplace AND l.account = b.account
                    AND l.currency = b.currency AND l.until = b.until AND l.debits = b.debits
                    AND l.credits = b.credits)
            ORDER BY b.account, b.currency LIMIT \(Self.limit)
            """,
            """
            SELECT currency, CAST(SUM(debits) AS \(unsafeText: integer)) AS debits,
                CAST(SUM(credits) AS \(unsafeText: integer)) AS credits
            FROM ledger_balance WHERE marketplace = \(marketplace)
            GROUP BY currency HAVING SUM(debits) <> SUM(credits) ORDER BY currency
            """,
            """
            SELECT e.id FROM journal_entry AS e JOIN ledger_close AS c ON c.marketplace = e.marketplace
            WHERE e.marketplace = \(marketplace) AND e.at >= \(last) AND e.at < c.rolled_until
            ORDER BY e.id LIMIT \(Self.limit)
            """
        )
        let balances = try unrolled.map { row throws(SQLError) in
            LedgerFinding(
                .rollupEqualsPostings,
                "\(try row.text("account")) \(try row.text("currency"))",
                expected: "the balance of \(try row.time("until"))",
                found: "debits \(try row.integer("debits")), credits \(try row.integer("credits"))"
            )
        }
        let sums = try unbalanced.map { row throws(SQLError) in
            LedgerFinding(
                .accountsSumToZero,
                try row.text("currency"),
                expected: "debits \(try row.integer("credits"))",
                found: "debits \(try row.integer("debits"))"
            )
        }
        let missed = try late.map { row throws(SQLError) in
            LedgerFinding(.rollupEqualsPostings, try row.text("id"), expected: "rolled up", found: "left out")
        }
        return balances + sums + missed
    }
}
