package import Domain
package import SQL

extension StatementTable {
    /// What stands between a marketplace and one of its merchants now, by currency.
    ///
    /// What is rolled up and the merchant's entries behind that, so that it takes no longer as the journal grows.
    package static func balances(of merchant: Merchant, in session: any Session) throws(SQLError) -> [MerchantBalance] {
        let (payable, receivable) = (Account.payable(merchant: merchant.id), Account.receivable(merchant: merchant.id))
        let direct = Account.directTo(merchant: merchant.id)
        let rows = try session.rows(
            """
            SELECT currency FROM ledger_balance WHERE marketplace = \(merchant.marketplace)
                AND account IN (\(payable.path), \(receivable.path), \(direct.path))
            UNION SELECT e.currency FROM journal_entry AS e
            WHERE e.marketplace = \(merchant.marketplace) AND e.merchant = \(merchant.id)
                AND \(StatementTable.isIndexed) AND e.at >= COALESCE(
                    (SELECT rolled_until FROM ledger_close WHERE marketplace = \(merchant.marketplace)), 0)
            ORDER BY currency
            """
        )
        var balances: [MerchantBalance] = []
        for row in rows {
            let currency = try row.currency("currency")
            guard
                let scope = StatementScope(
                    marketplace: merchant.marketplace,
                    merchant: merchant.id,
                    currency: currency,
                    from: Timestamp(microseconds: 0),
                    to: Timestamp(microseconds: .max)
                )
            else { continue }
            let sums = try session.rows(
                """
                SELECT \(LedgerBalances.credit(of: payable, in: scope, at: scope.to, session.dialect)) AS payable,
                    \(LedgerBalances.credit(of: receivable, in: scope, at: scope.to, session.dialect)) AS receivable
                """
            )
            guard let sum = sums.first else { continue }
            balances.append(
                MerchantBalance(
                    merchant: merchant.id,
                    externalIdentifier: merchant.externalIdentifier,
                    currency: currency,
                    payable: try sum.integer("payable"),
                    receivable: 0 - (try sum.integer("receivable"))
                )
            )
        }
        return balances
    }
}
