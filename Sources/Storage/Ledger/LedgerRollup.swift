package import Domain
package import SQL

/// Adds up what closed hours posted, so that a balance need not be read out of the whole journal.
///
/// Nothing that posts writes here. That an hour is complete before it is added up is proven, not waited for:
///
/// 1. ``close(_:before:in:)`` commits how far a marketplace's books are closed. An entry that is written from then on
///    is posted behind it, or refused.
/// 2. Behind that commit, ``nextTransaction(in:)`` is a number above that of every transaction that wrote an entry
///    without having seen it: it wrote, so it had its number.
/// 3. Once ``oldestTransaction(in:)`` has reached that number, all of them have ended. What they posted is seen by
///    every transaction that begins from now on, which is when ``roll(_:before:in:)`` may add up.
///
/// On SQLite there is one writer, so that 2 and 3 hold at once.
package enum LedgerRollup {
    /// How long a period is: an hour, in microseconds.
    package static let periodMicroseconds: Int64 = 3_600_000_000

    /// The end of the last period that is over at a moment.
    package static func lastEnd(before time: Timestamp) -> Timestamp {
        Timestamp(microseconds: time.microseconds / periodMicroseconds * periodMicroseconds)
    }

    /// Closes a marketplace's books up to a moment; what is closed further stays so.
    ///
    /// - Throws: `SQLError`.
    package static func close(
        _ marketplace: String,
        before time: Timestamp,
        in session: any Session
    ) throws(SQLError) {
        try session.run(
            """
            INSERT INTO ledger_close (marketplace, closed_until, rolled_until) VALUES (\(marketplace), \(time), 0)
            ON CONFLICT (marketplace) DO UPDATE SET closed_until = excluded.closed_until
            WHERE ledger_close.closed_until < excluded.closed_until
            """
        )
    }

    /// A number above that of every transaction that has written anything so far.
    ///
    /// - Throws: `SQLError`.
    package static func nextTransaction(in session: any Session) throws(SQLError) -> Int64 {
        try number(session.dialect.nextTransaction, in: session)
    }

    /// A number that no transaction lies below which may still commit; in a transaction that has not written.
    ///
    /// - Throws: `SQLError`.
    package static func oldestTransaction(in session: any Session) throws(SQLError) -> Int64 {
        try number(session.dialect.oldestTransaction, in: session)
    }

    private static func number(_ expression: String, in session: any Session) throws(SQLError) -> Int64 {
        guard let row = try session.rows("SELECT \(unsafeText: expression) AS number").first else {
            throw .unexpectedValue(column: "number")
        }
        return try row.integer("number")
    }

    /// How far a marketplace's books are rolled up; nil if they never were.
    ///
    /// - Throws: `SQLError`.
    package static func rolledUntil(_ marketplace: String, in session: any Session) throws(SQLError) -> Timestamp? {
        try session.rows("SELECT rolled_until FROM ledger_close WHERE marketplace = \(marketplace)").first?
            .time("rolled_until")
    }

    /// Adds up the next period that has entries, and says whether there may be another one before `time`.
    ///
    /// Several may do so at once: one after the other takes the row of ``close(_:before:in:)``.
    ///
    /// - Precondition: `time` is the end of a period, closed, and nobody who had not seen that can still commit.
    /// - Throws: `SQLError`.
    package static func roll(
        _ marketplace: String,
        before time: Timestamp,
        in session: any Session
    ) throws(SQLError) -> Bool {
        let rows = try session.rows(
            """
            SELECT rolled_until FROM ledger_close WHERE marketplace = \(marketplace)
            \(unsafeText: session.dialect.lock)
            """
        )
        guard let begin = try rows.first?.time("rolled_until"), begin < time else { return false }
        let next = try session.rows(
            """
            SELECT at FROM journal_entry WHERE marketplace = \(marketplace) AND at >= \(begin) AND at < \(time)
            ORDER BY at LIMIT 1
            """
        ).first
        guard let first = try next?.time("at") else {
            try markRolled(marketplace, until: time, in: session)
            return false
        }
        let end = Timestamp(microseconds: lastEnd(before: first).microseconds + periodMicroseconds)
        try add(marketplace, begin..<end, in: session)
        try markRolled(marketplace, until: end, in: session)
        return end < time
    }

    private static func add(
        _ marketplace: String,
        _ period: Range<Timestamp>,
        in session: any Session
    ) throws(SQLError) {
        let integer = session.dialect.integerType
        try session.run(
            """
            INSERT INTO ledger_balance (marketplace, account, currency, debits, credits, until)
            SELECT CAST(\(marketplace) AS TEXT), s.account, s.currency, CAST(SUM(s.debits) AS \(unsafeText: integer)),
                CAST(SUM(s.credits) AS \(unsafeText: integer)),
                CAST(\(period.upperBound) AS \(unsafeText: integer))
            FROM (\(sides(of: marketplace, period, session.dialect))) AS s WHERE 1 = 1 GROUP BY s.account, s.currency
            ON CONFLICT (marketplace, account, currency) DO UPDATE SET
                debits = ledger_balance.debits + excluded.debits,
                credits = ledger_balance.credits + excluded.credits, until = excluded.until
            """
        )
        try session.run(
            """
            INSERT INTO ledger_period (marketplace, account, currency, until, debits, credits)
            SELECT marketplace, account, currency, until, debits, credits FROM ledger_balance
            WHERE marketplace = \(marketplace) AND until = \(period.upperBound)
            """
        )
    }

    /// Both sides of every posting of a time: the account, the currency, what is debited and what is credited.
    static func sides(of marketplace: String, _ period: Range<Timestamp>, _ dialect: Dialect) -> SQL {
        let source: SQL = """
            FROM journal_entry AS e \(PostingRows.join(dialect))
            WHERE e.marketplace = \(marketplace) AND e.at >= \(period.lowerBound) AND e.at < \(period.upperBound)
            """
        return """
            SELECT p.debit AS account, e.currency AS currency, p.amount AS debits, 0 AS credits \(source)
            UNION ALL SELECT p.credit, e.currency, 0, p.amount \(source)
            """
    }

    private static func markRolled(
        _ marketplace: String,
        until time: Timestamp,
        in session: any Session
    ) throws(SQLError) {
        try session.run(
            "UPDATE ledger_close SET rolled_until = \(time) WHERE marketplace = \(marketplace)"
        )
    }
}

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
            FROM journal_entry AS e \(PostingRows.join(dialect))
            WHERE e.marketplace = \(marketplace) AND e.at >= \(rolled) AND e.at >= COALESCE(
                (SELECT rolled_until FROM ledger_close WHERE marketplace = \(marketplace)), 0)
            """
        return """
            SELECT s.account, s.currency, CAST(SUM(s.debits) AS \(unsafeText: integer)) AS debits,
                CAST(SUM(s.credits) AS \(unsafeText: integer)) AS credits
            FROM (
                SELECT account, currency, debits, credits FROM ledger_balance WHERE marketplace = \(marketplace)
                UNION ALL SELECT p.debit, e.currency, p.amount, 0 \(tail)
                UNION ALL SELECT p.credit, e.currency, 0, p.amount \(tail)
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
                FROM journal_entry AS e \(PostingRows.join(dialect))
                WHERE \(StatementTable.owner(scope)) AND e.at >= COALESCE((SELECT l.until \(latest)), 0)
                    AND e.at < \(time)), 0)
            """
    }
}

/// What was ever debited to an account and credited to it in a currency, in minor units.
package struct AccountBalance: Hashable, Sendable {
    /// The account's path.
    package let account: String
    /// The currency.
    package let currency: Currency
    /// The sum of what was debited, at least 0.
    package let debits: Int64
    /// The sum of what was credited, at least 0.
    package let credits: Int64

    /// Makes a balance.
    package init(account: String, currency: Currency, debits: Int64, credits: Int64) {
        self.account = account
        self.currency = currency
        self.debits = debits
        self.credits = credits
    }

    /// Debits less credits.
    package var balance: Int64 { debits - credits }
}
