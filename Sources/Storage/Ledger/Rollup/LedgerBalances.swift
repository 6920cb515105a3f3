import Domain
package import SQL

/// What accounts hold: what is rolled up, and the postings behind it.
package enum LedgerBalances {
    /// What every account of a marketplace holds, by its path and currency.
    ///
    /// - Throws: `SQLError`.
    package static func all(of marketplace: String, in session: any Session) throws(SQLError) -> [AccountBalance] {
        var balances: [AccountBalance] = []
        let rolled = try LedgerRollup.rolledUntil(marketplace, in: session) ?? Timestamp(microseconds: 0)
        for row in try session.rows(question(marketplace, since: rolled, session.dialect)) {
            balances.append(
                AccountBalance(
                    account: try row.text("account"),
                    currency: try row.currency("currency"),
                    debits: try row.integer("debits"),
                    credits: try row.integer("credits")
                )
            )
        }
        return balances
    }

    /// The question behind ``all(of:in:)``.
    ///
    /// That the planner is told how far the books are rolled up lets it see how little is left; that they may be by now
    /// rolled up further is why the question asks for it again.
    private static func question(_ marketplace: String, since rolled: Timestamp, _ dialect: Dialect) -> SQL {
        let integer = dialect.integerType
        let tail: SQL = """
            FROM journal_entry AS e JOIN posting AS p ON p.entry_id = e.id
            WHERE e.marketplace = \(marketplace) AND e.at >= \(rolled) AND e.at >= COALESCE(
                (SELECT rolled_until FROM ledger_close WHERE marketplace = \(marketplace)), 0)
            """
        return """
            SELECT s.account, s.currency, CAST(SUM(s.debits) AS \(unsafeText: integer)) AS debits,
                CAST(SUM(s.credits) AS \(unsafeText: integer)) AS credits
            FROM (
                SELECT account, currency, debits, credits FROM ledger_balance WHERE marketplace = \(marketplace)
                UNION ALL SELECT p.debit, p.currency, p.amount, 0 \(tail)
                UNION ALL SELECT p.credit, p.currency, 0, p.amount \(tail)
            ) AS s GROUP BY s.account, s.currency ORDER BY s.account, s.currency
            """
    }

    /// What an account of a merchant holds as a moment comes, credits less debits: an expression of one value.
    ///
    /// The postings behind what is rolled up are found by the merchant's entries.
    static func credit(of account: Account, in scope: StatementScope, at time: Timestamp, _ dialect: Dialect) -> SQL {
        let (path, integer) = (account.path, dialect.integerType)
        let latest: SQL = """
            FROM ledger_period AS l WHERE l.marketplace = \(scope.marketplace) AND l.account = \(path)
                AND l.currency = \(scope.currency.code) AND l.until <= \(time) ORDER BY l.until DESC LIMIT 1
            """
        return """
            COALESCE((SELECT l.credits - l.debits \(latest)), 0) + COALESCE((
                SELECT CAST(SUM(CASE WHEN p.credit = CAST(\(path) AS TEXT) THEN p.amount
                    WHEN p.debit = CAST(\(path) AS TEXT) THEN 0 - p.amount ELSE 0 END) AS \(unsafeText: integer))
                FROM journal_entry AS e JOIN posting AS p ON p.entry_id = e.id
                WHERE \(StatementTable.owner(scope)) AND e.at >= COALESCE((SELECT l.until \(latest)), 0)
                    AND e.at < \(time)), 0)
            """
    }
}
