package import Domain
package import SQL

/// Reads statements out of the journal.
///
/// Every question of one merchant goes through `journal_entry_by_merchant` and the postings' primary key. What is held on cards is in
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
        let answers = try session.rows([balances(scope, session.dialect), movements(scope, session.dialect)])
        guard let balances = answers[0].first else { throw SQLError.unexpectedValue(column: "opening") }
        var amounts = StatementAmounts()
        for row in answers[1] { amounts += try movement(row).amounts }
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
