package import Domain
package import SQL

/// How far merchants' payouts have been told.
package enum PayoutSeriesTable {
    /// Takes the next number of a merchant and currency; nobody else gets at it until the transaction ends.
    ///
    /// - Throws: `SQLError`.
    package static func next(
        of merchant: MerchantID,
        in currency: Currency,
        marketplace: String,
        _ session: any Session
    ) throws(SQLError) -> PayoutSeries {
        let rows = try session.rows(
            """
            INSERT INTO payout_series (marketplace, merchant, currency, told, covered_to, closing)
            VALUES (\(marketplace), \(merchant), \(currency.code), 1, 0, 0)
            ON CONFLICT (marketplace, merchant, currency) DO UPDATE SET told = payout_series.told + 1
            RETURNING told, covered_to, closing
            """
        )
        guard let row = rows.first else { throw .unexpectedValue(column: "told") }
        return PayoutSeries(
            number: try row.integer("told"),
            coveredTo: try row.time("covered_to"),
            closing: try row.optionalInteger("closing")
        )
    }

    /// Stores that a payout was told to pay for what came before the end of `cover`.
    ///
    /// - Throws: `SQLError`.
    package static func advance(to cover: PayoutBreakdown, in session: any Session) throws(SQLError) {
        let scope = cover.scope
        try session.run(
            """
            UPDATE payout_series SET covered_to = \(scope.to), closing = \(cover.closing)
            WHERE marketplace = \(scope.marketplace) AND merchant = \(scope.merchant)
                AND currency = \(scope.currency.code)
            """
        )
    }
}
