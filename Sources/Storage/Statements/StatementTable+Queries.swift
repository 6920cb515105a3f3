package import Domain
package import SQL

/// The questions behind a statement.
extension StatementTable {
    /// The entries of a merchant in a currency.
    static func owner(_ scope: StatementScope) -> SQL {
        """
        e.marketplace = \(scope.marketplace) AND e.merchant = \(scope.merchant)
            AND e.currency = \(scope.currency.code)
        """
    }

    /// What a posting does to the payable account.
    static func change(_ scope: StatementScope) -> SQL {
        let account = Account.payable(merchant: scope.merchant).path
        return """
            CASE WHEN p.credit = CAST(\(account) AS TEXT) THEN p.amount
                WHEN p.debit = CAST(\(account) AS TEXT) THEN 0 - p.amount ELSE 0 END
            """
    }

    /// What the payable account holds before the time and at its end: one row.
    ///
    /// Each is what is rolled up and the postings behind that, so that it takes no longer as the journal grows.
    package static func balances(_ scope: StatementScope, _ dialect: Dialect) -> SQL {
        let account = Account.payable(merchant: scope.merchant)
        return """
            SELECT \(LedgerBalances.credit(of: account, in: scope, at: scope.from, dialect)) AS opening,
                \(LedgerBalances.credit(of: account, in: scope, at: scope.to, dialect)) AS closing
            """
    }

    /// The postings of the time, those alike summed up.
    package static func movements(_ scope: StatementScope, _ dialect: Dialect) -> SQL {
        """
        SELECT e.kind, o.kind AS operation_kind, a.settles_to, p.debit, p.credit,
            CAST(SUM(p.amount) AS \(unsafeText: dialect.integerType)) AS amount
        FROM journal_entry AS e JOIN posting AS p ON p.entry_id = e.id \(causes)
        WHERE \(owner(scope)) AND e.at >= \(scope.from) AND e.at < \(scope.to) AND substr(p.debit, 1, 5) <> 'memo/'
        GROUP BY e.kind, o.kind, a.settles_to, p.debit, p.credit
        """
    }

    /// The postings of a page of entries, each with what it is about.
    package static func page(_ scope: StatementScope, after place: StatementLine.Place?, limit: Int) -> SQL {
        let behind: SQL =
            place.map { "AND e.at >= \($0.at) AND (e.at > \($0.at) OR e.id > \($0.entry))" } ?? ""
        return """
            SELECT e.id, e.at, e.kind, e.order_id, e.payment_id, e.dispute_id, e.payout_id, o.refund_id,
                COALESCE(y.reference, x.reference) AS reference,
                COALESCE(o.reference, NULLIF(d.reference, '')) AS psp_reference,
                x.paid_at, o.kind AS operation_kind, a.settles_to, p.debit, p.credit, p.amount
            FROM (
                SELECT e.* FROM journal_entry AS e
                WHERE \(owner(scope)) AND e.at >= \(scope.from) AND e.at < \(scope.to) \(behind) AND EXISTS
                    (SELECT 1 FROM posting AS p WHERE p.entry_id = e.id AND substr(p.debit, 1, 5) <> 'memo/')
                ORDER BY e.at, e.id LIMIT \(limit)
            ) AS e JOIN posting AS p ON p.entry_id = e.id \(causes)
            LEFT JOIN payment AS y ON y.id = e.payment_id LEFT JOIN payout AS x ON x.id = e.payout_id
            WHERE substr(p.debit, 1, 5) <> 'memo/'
            ORDER BY e.at, e.id, p.position
            """
    }

    /// What had the effect, and the attempt that it had it on.
    static var causes: SQL {
        """
        LEFT JOIN operation AS o ON o.id = e.operation_id LEFT JOIN dispute AS d ON d.id = e.dispute_id
        LEFT JOIN attempt AS a ON a.id = COALESCE(o.attempt_id, d.attempt_id)
        """
    }
}
