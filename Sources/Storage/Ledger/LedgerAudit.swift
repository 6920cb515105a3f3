package import Domain
package import SQL

/// Holds the books to their rules, by what is stored alone.
///
/// That debits are credits needs no looking: a posting is one amount from one account to another.
package enum LedgerAudit {
    /// The most findings of one rule that are told.
    private static let limit = 100

    /// What breaks a rule that a question can find.
    package static func findings(of marketplace: String, in session: any Session) throws -> [LedgerFinding] {
        let questions = questions(marketplace)
        var findings: [LedgerFinding] = []
        for ((rule, _), rows) in zip(questions, try session.rows(questions.map(\.1))) {
            for row in rows { findings.append(LedgerFinding(rule, try row.text("id"))) }
        }
        return try findings + statements(of: marketplace, in: session)
    }

    /// What breaks a rule among the orders behind `last`, at most `count` of them; and the last order looked at.
    package static func findings(
        of marketplace: String,
        ordersAfter last: OrderID?,
        count: Int,
        in session: any Session
    ) throws(SQLError) -> (findings: [LedgerFinding], last: OrderID?) {
        let rows = try session.rows(
            """
            SELECT id FROM orders WHERE marketplace = \(marketplace) AND id > \(last?.text ?? "")
            ORDER BY id LIMIT \(count)
            """
        )
        var ids: [OrderID] = []
        for row in rows { ids.append(try row.identifier("id")) }
        guard !ids.isEmpty else { return ([], nil) }
        let posted = try commissions(of: ids, in: session)
        var findings: [LedgerFinding] = []
        for order in try OrderReader.load(ids, in: session) {
            let lines = order.payments.flatMap(\.allocation)
            func frozen(_ kind: AllocationLine.Kind) -> Int64 {
                lines.filter { $0.kind == kind }.reduce(0) { $0 + $1.captured - $1.refunded }
            }
            let (commission, tax) = posted[order.id] ?? (0, 0)
            if commission != frozen(.commission) || tax != frozen(.commissionTax) {
                findings.append(LedgerFinding(.commissionIsFrozen, order.id.text))
            }
        }
        return (findings, ids.last)
    }

    /// The commission and the tax on it that are posted for orders; an order without postings is left out.
    private static func commissions(
        of orders: [OrderID],
        in session: any Session
    ) throws(SQLError) -> [OrderID: (Int64, Int64)] {
        func sum(_ account: Account) -> SQL {
            """
            CAST(SUM(CASE WHEN p.credit = CAST(\(account.path) AS TEXT) THEN p.amount
                WHEN p.debit = CAST(\(account.path) AS TEXT) THEN 0 - p.amount ELSE 0 END)
                AS \(unsafeText: session.dialect.integerType))
            """
        }
        let rows = try session.rows(
            """
            SELECT e.order_id, \(sum(.commission)) AS commission, \(sum(.commissionTax)) AS tax
            FROM journal_entry AS e JOIN posting AS p ON p.entry_id = e.id
            WHERE e.order_id IN (\(list: orders.map(\.sqlValue))) GROUP BY e.order_id
            """
        )
        var sums: [OrderID: (Int64, Int64)] = [:]
        for row in rows {
            sums[try row.identifier("order_id")] = (try row.integer("commission"), try row.integer("tax"))
        }
        return sums
    }

    /// The merchants whose statements, over all time, do not add up.
    private static func statements(of marketplace: String, in session: any Session) throws -> [LedgerFinding] {
        try StatementTable.balances(of: marketplace, in: session).compactMap { balance in
            let scope = StatementScope(
                marketplace: marketplace,
                merchant: balance.merchant,
                currency: balance.currency,
                from: Timestamp(microseconds: .min),
                to: Timestamp(microseconds: .max)
            )
            guard let scope else { return nil }
            do {
                _ = try StatementTable.statement(scope, in: session)
                return nil
            } catch is StatementMismatch {
                return LedgerFinding(.statementAddsUp, "\(balance.merchant) \(balance.currency)")
            }
        }
    }

    private static func questions(_ marketplace: String) -> [(LedgerFinding.Rule, SQL)] {
        [
            (
                .entryHasPostings,
                """
                SELECT e.id FROM journal_entry AS e WHERE e.marketplace = \(marketplace)
                    AND NOT EXISTS (SELECT 1 FROM posting AS p WHERE p.entry_id = e.id) ORDER BY e.id LIMIT \(limit)
                """
            ),
            (
                .postingFitsEntry,
                """
                SELECT DISTINCT e.id FROM journal_entry AS e JOIN posting AS p ON p.entry_id = e.id
                WHERE e.marketplace = \(marketplace)
                    AND (p.currency <> e.currency OR p.marketplace <> e.marketplace) ORDER BY e.id LIMIT \(limit)
                """
            ),
            (
                .entryFitsPayment,
                """
                SELECT e.id FROM journal_entry AS e JOIN payment AS y ON y.id = e.payment_id
                    JOIN orders AS o ON o.id = y.order_id
                WHERE e.marketplace = \(marketplace) AND (e.merchant <> y.merchant OR e.currency <> o.currency
                    OR e.order_id <> y.order_id) ORDER BY e.id LIMIT \(limit)
                """
            ),
            (
                .orderIsItsPayments,
                """
                SELECT o.id FROM orders AS o JOIN payment AS y ON y.order_id = o.id
                WHERE o.marketplace = \(marketplace)
                GROUP BY o.id, o.payable HAVING SUM(y.amount) <> o.payable ORDER BY o.id LIMIT \(limit)
                """
            ),
            (
                .effectIsPosted,
                """
                SELECT o.id FROM operation AS o
                WHERE o.marketplace = \(marketplace) AND o.state = 'succeeded' AND o.done_amount > 0
                    AND o.kind IN ('authorize', 'capture') AND NOT EXISTS (
                        SELECT 1 FROM journal_entry AS e WHERE e.operation_id = o.id
                        AND e.kind = CASE WHEN o.kind = 'capture' THEN 'capture' ELSE 'authorization' END)
                ORDER BY o.id LIMIT \(limit)
                """
            ),
            (.payoutIsPosted, payouts(marketplace)),
        ]
    }

    /// Payouts whose entries are not what they should be.
    private static func payouts(_ marketplace: String) -> SQL {
        """
        SELECT x.id FROM payout AS x
            LEFT JOIN journal_entry AS e ON e.payout_id = x.id AND e.kind = 'payout'
            LEFT JOIN posting AS p ON p.entry_id = e.id AND p.position = 0
            LEFT JOIN journal_entry AS f ON f.payout_id = x.id AND f.kind = 'payout_reversal'
            LEFT JOIN posting AS q ON q.entry_id = f.id AND q.position = 0
        WHERE x.marketplace = \(marketplace) AND (
            p.amount IS NULL OR p.amount <> x.amount OR e.merchant <> x.merchant OR e.currency <> x.currency
            OR p.debit <> 'merchant/' || x.merchant || '/payable' OR p.credit <> 'marketplace/bank'
            OR (x.state = 'paid' AND f.id IS NOT NULL)
            OR (x.state = 'failed' AND (q.amount IS NULL OR q.amount <> x.amount OR f.merchant <> x.merchant
                OR f.currency <> x.currency OR q.debit <> 'marketplace/bank'
                OR q.credit <> 'merchant/' || x.merchant || '/payable')))
        ORDER BY x.id LIMIT \(limit)
        """
    }
}
