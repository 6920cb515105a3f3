package import Domain
package import SQL

/// Reads what payouts pay for out of the journal.
package enum PayoutBreakdownTable {
    /// What a payout pays for, with the first lines of it.
    ///
    /// One question, so that balance, sums, count and lines are of one moment, which in a transaction that writes no
    /// two questions are.
    ///
    /// - Parameters:
    ///   - scope: whose, in what currency, from the payout before to this one.
    ///   - told: what was told to be owed as the time began; nil if nothing was.
    ///   - limit: how many lines at most.
    ///   - session: the transaction.
    /// - Returns: what it pays for.
    /// - Throws: `SQLError`.
    package static func cover(
        _ scope: StatementScope,
        told: Int64?,
        limit: Int = PayoutBreakdown.lineLimit,
        in session: any Session
    ) throws(SQLError) -> PayoutBreakdown {
        var opening: Int64 = 0
        var count: Int64 = 0
        var amounts = StatementAmounts()
        var lines: [StatementLine] = []
        for row in try session.rows(question(scope, limit: limit, session.dialect)) {
            switch try row.text("part") {
            case "opening": opening = try row.integer("amount")
            case "count": count = try row.integer("amount")
            case "sum": amounts += try StatementTable.movement(row).amounts
            default:
                let line = try StatementTable.line(row, StatementTable.movement(row).amounts)
                if line.entry == lines.last?.entry {
                    lines[lines.count - 1].amounts += line.amounts
                } else {
                    lines.append(line)
                }
            }
        }
        return PayoutBreakdown(
            scope,
            opening: told ?? opening,
            postedLate: opening - (told ?? opening),
            balance: amounts.balance,
            lines: lines,
            lineCount: count
        )
    }

    /// The question: a row with the balance at first, one with the count of lines, one a sum, one a posting of a line.
    package static func question(_ scope: StatementScope, limit: Int, _ dialect: Dialect) -> SQL {
        let integer = dialect.integerType
        let number: SQL = "CAST(NULL AS \(unsafeText: integer))"
        let text: SQL = "CAST(NULL AS TEXT)"
        func amount(_ part: SQL, _ sum: SQL) -> SQL {
            """
            SELECT \(part) AS part, \(text) AS id, \(number) AS at, \(text) AS kind, \(text) AS operation_kind,
                \(text) AS settles_to, \(text) AS debit, \(text) AS credit,
                CAST(\(sum) AS \(unsafeText: integer)) AS amount, \(text) AS order_id, \(text) AS payment_id,
                \(text) AS refund_id, \(text) AS dispute_id, \(text) AS payout_id, \(text) AS reference,
                \(text) AS psp_reference, \(number) AS paid_at
            """
        }
        return """
            \(amount("'opening'", "COALESCE(SUM(\(StatementTable.change(scope))), 0)"))
            FROM journal_entry AS e \(PostingRows.join(dialect))
            WHERE \(StatementTable.owner(scope)) AND e.at < \(scope.from)
            UNION ALL \(amount("'count'", "COUNT(*)")) FROM journal_entry AS e WHERE \(moving(scope, dialect))
            UNION ALL
            SELECT 'sum', \(text), \(number), m.kind, m.operation_kind, m.settles_to, m.debit, m.credit, m.amount,
                \(text), \(text), \(text), \(text), \(text), \(text), \(text), \(number)
            FROM (\(StatementTable.movements(scope, dialect))) AS m
            UNION ALL \(lines(scope, limit: limit, dialect))
            ORDER BY at, id
            """
    }

    private static func lines(_ scope: StatementScope, limit: Int, _ dialect: Dialect) -> SQL {
        """
        SELECT 'line', e.id, e.at, e.kind, o.kind, COALESCE(o.settles_to, d.settles_to), p.debit, p.credit, p.amount,
            e.order_id, e.payment_id, o.refund_id, e.dispute_id, e.payout_id, COALESCE(y.reference, x.reference),
            COALESCE(o.reference, NULLIF(d.reference, '')), x.paid_at
        FROM (
            SELECT e.* FROM journal_entry AS e WHERE \(moving(scope, dialect)) ORDER BY e.at, e.id LIMIT \(limit)
        ) AS e \(PostingRows.join(dialect)) \(StatementTable.causes)
        LEFT JOIN payment AS y ON y.order_id = e.order_id AND y.id = e.payment_id
        LEFT JOIN payout AS x ON x.id = e.payout_id
        WHERE substr(p.debit, 1, 5) <> 'memo/'
        """
    }

    /// The entries of the time that move what is owed.
    private static func moving(_ scope: StatementScope, _ dialect: Dialect) -> SQL {
        let account = Account.payable(merchant: scope.merchant).path
        return """
            \(StatementTable.owner(scope)) AND e.at >= \(scope.from) AND e.at < \(scope.to)
                AND \(PostingRows.exists(where: "\(account) IN (p.debit, p.credit)", dialect))
            """
    }
}
