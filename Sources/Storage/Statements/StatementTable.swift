package import Domain
package import SQL

/// Reads statements out of the journal.
///
/// Every question goes through `journal_entry_by_merchant` and the postings' primary key. What is held on cards is in
/// the journal too, on accounts whose paths begin with `memo/`, and on no statement.
package enum StatementTable {
    /// A statement, its balances and its amounts each read by themselves.
    ///
    /// - Throws: `StatementMismatch` if it does not add up, or `SQLError`.
    package static func statement(_ scope: StatementScope, in session: any Session) throws -> Statement {
        let answers = try session.rows([balances(scope, session.dialect), movements(scope, session.dialect)])
        guard let balances = answers[0].first else { throw SQLError.unexpectedValue(column: "opening") }
        var amounts = StatementAmounts()
        for row in answers[1] { amounts += try movement(row).amounts }
        return try Statement(
            scope,
            opening: try balances.integer("opening"),
            amounts: amounts,
            closing: try balances.integer("closing")
        )
    }

    /// What is owed to the merchant as the time ends, by its payable account.
    package static func closing(_ scope: StatementScope, in session: any Session) throws(SQLError) -> Int64 {
        let rows = try session.rows(balances(scope, session.dialect))
        guard let row = rows.first else { throw .unexpectedValue(column: "closing") }
        return try row.integer("closing")
    }

    /// The lines behind `place`, in the order of posting, at most `limit`.
    package static func lines(
        _ scope: StatementScope,
        after place: StatementLine.Place?,
        limit: Int,
        in session: any Session
    ) throws(SQLError) -> [StatementLine] {
        var lines: [StatementLine] = []
        for row in try session.rows(page(scope, after: place, limit: limit)) {
            let next = try line(row, movement(row).amounts)
            if next.entry == lines.last?.entry {
                lines[lines.count - 1].amounts += next.amounts
            } else {
                lines.append(next)
            }
        }
        return lines
    }

    /// Where an entry stands among the lines of a merchant and currency; nil if it is not one of theirs.
    package static func place(
        of entry: EntryID,
        in scope: StatementScope,
        _ session: any Session
    ) throws(SQLError) -> StatementLine.Place? {
        let rows = try session.rows(
            "SELECT e.at FROM journal_entry AS e WHERE e.id = \(entry) AND \(owner(scope))"
        )
        return try rows.first.map { row throws(SQLError) in StatementLine.Place(at: try row.time("at"), entry: entry) }
    }

    /// What stands between a marketplace and each of its merchants, by merchant and currency.
    package static func balances(
        of marketplace: String,
        in session: any Session
    ) throws(SQLError) -> [MerchantBalance] {
        func sum(_ account: SQL, _ sign: SQL) -> SQL {
            """
            CAST(SUM(CASE WHEN p.credit = \(account) THEN \(sign)p.amount WHEN p.debit = \(account)
                THEN 0 - \(sign)p.amount ELSE 0 END) AS \(unsafeText: session.dialect.integerType))
            """
        }
        let rows = try session.rows(
            """
            SELECT e.merchant, m.external_identifier, e.currency,
                \(sum("'merchant/' || e.merchant || '/payable'", "")) AS payable,
                \(sum("'merchant/' || e.merchant || '/receivable'", "-")) AS receivable
            FROM journal_entry AS e JOIN posting AS p ON p.entry_id = e.id JOIN merchant AS m ON m.id = e.merchant
            WHERE e.marketplace = \(marketplace) AND substr(p.debit, 1, 5) <> 'memo/'
            GROUP BY e.merchant, m.external_identifier, e.currency ORDER BY m.external_identifier, e.currency
            """
        )
        var balances: [MerchantBalance] = []
        for row in rows {
            balances.append(
                MerchantBalance(
                    merchant: try row.identifier("merchant"),
                    externalIdentifier: try row.text("external_identifier"),
                    currency: try row.currency("currency"),
                    payable: try row.integer("payable"),
                    receivable: try row.integer("receivable")
                )
            )
        }
        return balances
    }

    private static func movement(_ row: Row) throws(SQLError) -> StatementMovement {
        StatementMovement(
            kind: try row.word("kind"),
            operation: try row.optionalWord("operation_kind"),
            settlesTo: try row.optionalWord("settles_to"),
            debit: try row.account("debit"),
            credit: try row.account("credit"),
            amount: try row.integer("amount")
        )
    }

    private static func line(_ row: Row, _ amounts: StatementAmounts) throws(SQLError) -> StatementLine {
        StatementLine(
            entry: try row.identifier("id"),
            at: try row.time("at"),
            kind: try row.word("kind"),
            order: try row.optionalIdentifier("order_id"),
            payment: try row.optionalIdentifier("payment_id"),
            refund: try row.optionalIdentifier("refund_id"),
            dispute: try row.optionalIdentifier("dispute_id"),
            payout: try row.optionalIdentifier("payout_id"),
            reference: try row.optionalText("reference"),
            pspReference: try row.optionalText("psp_reference"),
            paidAt: try row.optionalTime("paid_at"),
            amounts: amounts
        )
    }
}
