import Domain
import SQL

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
                FROM (\(LedgerRollup.sides(of: audit.marketplace, hour))) AS posted
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
        let answers = try session.rows([
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
            """,
        ])
        let balances = try answers[0].map { row throws(SQLError) in
            LedgerFinding(
                .rollupEqualsPostings,
                "\(try row.text("account")) \(try row.text("currency"))",
                expected: "the balance of \(try row.time("until"))",
                found: "debits \(try row.integer("debits")), credits \(try row.integer("credits"))"
            )
        }
        let sums = try answers[1].map { row throws(SQLError) in
            LedgerFinding(
                .accountsSumToZero,
                try row.text("currency"),
                expected: "debits \(try row.integer("credits"))",
                found: "debits \(try row.integer("debits"))"
            )
        }
        let missed = try answers[2].map { row throws(SQLError) in
            LedgerFinding(.rollupEqualsPostings, try row.text("id"), expected: "rolled up", found: "left out")
        }
        return balances + sums + missed
    }
}
