package import Domain
package import SQL

/// Reads statements out of the journal.
///
/// Every question of one merchant goes through `journal_entry_by_merchant`. What is held on cards is in
/// the journal too, on accounts whose paths begin with `memo/`, and on no statement.
package enum StatementTable {
    /// A statement, its balances and its amounts each read by themselves.
    ///
    /// - Throws: `StatementMismatch` if it does not add up, or `SQLError`.
    package static func statement(_ scope: StatementScope, in session: any Session) throws -> Statement {
        let sums = try sums(scope, in: session)
        return try Statement(scope, opening: sums.opening, amounts: sums.amounts, closing: sums.closing)
    }

    /// What a statement is made of, whether it adds up or not.
    static func sums(
        _ scope: StatementScope,
        in session: any Session
    ) throws(SQLError) -> (opening: Int64, amounts: StatementAmounts, closing: Int64) {
        let (balanceRows, movements) = try session.rows(
            balances(scope, session.dialect),
            Self.movements(scope, session.dialect)
        )
        guard let balances = balanceRows.first else { throw SQLError.unexpectedValue(column: "opening") }
        var amounts = StatementAmounts()
        for row in movements { amounts += try movement(row).amounts }
        return (try balances.integer("opening"), amounts, try balances.integer("closing"))
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
        for row in try session.rows(page(scope, after: place, limit: limit, session.dialect)) {
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
        let source: SQL = "SELECT e.at FROM journal_entry AS e WHERE e.id = \(entry) AND \(owner(scope))"
        let rows = try session.rows(
            "\(source) AND e.order_id = \(OrderID(of: entry)) UNION ALL \(source) AND e.order_id IS NULL"
        )
        return try rows.first.map { row throws(SQLError) in StatementLine.Place(at: try row.time("at"), entry: entry) }
    }

    /// What stands between a marketplace and each of its merchants, by merchant and currency.
    package static func balances(
        of marketplace: String,
        in session: any Session
    ) throws(SQLError) -> [MerchantBalance] {
        var names: [MerchantID: String] = [:]
        for row in try session.rows("SELECT id, external_identifier FROM merchant WHERE marketplace = \(marketplace)") {
            names[try row.identifier("id")] = try row.text("external_identifier")
        }
        var sums: [MerchantID: [Currency: (payable: Int64, receivable: Int64)]] = [:]
        for balance in try LedgerBalances.all(of: marketplace, in: session) {
            let (payable, receivable): (Int64, Int64)
            let merchant: MerchantID
            switch Account(path: balance.account) {
            case .payable(let owner): (merchant, payable, receivable) = (owner, -balance.balance, 0)
            case .receivable(let owner): (merchant, payable, receivable) = (owner, 0, balance.balance)
            case .directTo(let owner): (merchant, payable, receivable) = (owner, 0, 0)
            default: continue
            }
            sums[merchant, default: [:]][balance.currency, default: (0, 0)].payable += payable
            sums[merchant, default: [:]][balance.currency, default: (0, 0)].receivable += receivable
        }
        let balances = sums.flatMap { merchant, currencies in
            currencies.map { currency, sum in
                MerchantBalance(
                    merchant: merchant,
                    externalIdentifier: names[merchant] ?? merchant.text,
                    currency: currency,
                    payable: sum.payable,
                    receivable: sum.receivable
                )
            }
        }
        return balances.sorted {
            ($0.externalIdentifier, $0.currency.code) < ($1.externalIdentifier, $1.currency.code)
        }
    }

    /// A posting, or a sum of several alike.
    static func movement(_ row: Row) throws(SQLError) -> StatementMovement {
        StatementMovement(
            kind: try row.word("kind"),
            operation: try row.optionalWord("operation_kind"),
            settlesTo: try row.optionalWord("settles_to"),
            debit: try row.account("debit"),
            credit: try row.account("credit"),
            amount: try row.integer("amount")
        )
    }

    /// A line that comes to these amounts.
    static func line(_ row: Row, _ amounts: StatementAmounts) throws(SQLError) -> StatementLine {
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

/// The questions behind a statement.
extension StatementTable {
    /// The entries of a merchant in a currency that may touch any account but memo accounts: what the index by merchant has.
    static func owner(_ scope: StatementScope) -> SQL {
        """
        e.marketplace = \(scope.marketplace) AND e.merchant = \(scope.merchant)
            AND e.currency = \(scope.currency.code) AND \(isIndexed)
        """
    }

    /// Whether an entry `e` is one that the index by merchant has.
    static var isIndexed: SQL { "e.kind <> 'authorization'" }

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
        SELECT e.kind, o.kind AS operation_kind, COALESCE(o.settles_to, d.settles_to) AS settles_to, p.debit, p.credit,
            CAST(SUM(p.amount) AS \(unsafeText: dialect.integerType)) AS amount
        FROM journal_entry AS e \(PostingRows.join(dialect)) \(causes)
        WHERE \(owner(scope)) AND e.at >= \(scope.from) AND e.at < \(scope.to) AND substr(p.debit, 1, 5) <> 'memo/'
        GROUP BY e.kind, o.kind, COALESCE(o.settles_to, d.settles_to), p.debit, p.credit
        """
    }

    /// The postings of a page of entries, each with what it is about.
    package static func page(
        _ scope: StatementScope,
        after place: StatementLine.Place?,
        limit: Int,
        _ dialect: Dialect
    ) -> SQL {
        let behind: SQL =
            place.map { "AND e.at >= \($0.at) AND (e.at > \($0.at) OR e.id > \($0.entry))" } ?? ""
        return """
            SELECT e.id, e.at, e.kind, e.order_id, e.payment_id, e.dispute_id, e.payout_id, o.refund_id,
                COALESCE(y.reference, x.reference) AS reference,
                COALESCE(o.reference, o.payment_reference, NULLIF(d.reference, '')) AS psp_reference,
                x.paid_at, o.kind AS operation_kind, COALESCE(o.settles_to, d.settles_to) AS settles_to, p.debit, p.credit,
                p.amount
            FROM (
                SELECT e.* FROM journal_entry AS e
                WHERE \(owner(scope)) AND e.at >= \(scope.from) AND e.at < \(scope.to) \(behind)
                    AND \(PostingRows.exists(where: "substr(p.debit, 1, 5) <> 'memo/'", dialect))
                ORDER BY e.at, e.id LIMIT \(limit)
            ) AS e \(PostingRows.join(dialect)) \(causes)
            LEFT JOIN payment AS y ON y.order_id = e.order_id AND y.id = e.payment_id
            LEFT JOIN payout AS x ON x.id = e.payout_id
            WHERE substr(p.debit, 1, 5) <> 'memo/'
            ORDER BY e.at, e.id, p.position
            """
    }

    /// What had the effect.
    static var causes: SQL {
        """
        LEFT JOIN effect AS o ON o.operation_id = e.operation_id LEFT JOIN dispute AS d ON d.id = e.dispute_id
        """
    }
}
