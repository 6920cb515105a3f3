package import Domain
package import SQL

/// What files that count have of batches which other files go on with: a PSP's report by days has a batch's lines in several files.
package enum EarlierBatchTable {
    /// How many batches one statement asks for.
    private static let batchesPerStatement = 500

    /// What lines of a batch come to that are no payouts, of one currency and precision.
    package struct Sum: Hashable, Sendable {
        /// The batch.
        package let batch: String
        /// What the lines changed the balance by, fees included.
        package let net: SettlementAmount
        /// Of that, what lines come to that tell again what others tell.
        package let repeated: SettlementAmount
        /// How many there are.
        package let lines: Int
        /// Whether each says what it is net.
        package let isNet: Bool
    }

    /// The sums and payout lines of batches of a PSP account in files that count, and go on to.
    ///
    /// - Parameters:
    ///   - names: the batches.
    ///   - account: the PSP account.
    ///   - marketplace: the marketplace.
    ///   - releasing: files that are about to be superseded.
    ///   - session: the transaction.
    /// - Returns: the sums by batch, currency and precision, and the payout lines by file, member and row, each payout once.
    /// - Throws: `SQLError`, for sums of more than 64 bits among others.
    package static func find(
        _ names: [String],
        of account: String,
        marketplace: String,
        releasing: Set<ImportID> = [],
        in session: any Session
    ) throws(SQLError) -> (sums: [Sum], payouts: [UnmatchedTable.Line]) {
        var found: (sums: [Sum], payouts: [UnmatchedTable.Line]) = ([], [])
        var rest = Set(names).sorted()[...]
        while !rest.isEmpty {
            let page = rest.prefix(batchesPerStatement).map(\.sqlValue)
            rest = rest.dropFirst(batchesPerStatement)
            // Lines are found by their batches; what else is known of files would lead to all lines there ever were.
            let counting: SQL = """
                FROM settlement_line AS l CROSS JOIN import_file AS f
                WHERE f.id = l.import_id AND l.marketplace = \(marketplace) AND l.batch IN (\(list: page))
                    AND f.psp_account = \(account) AND \(SubjectColumns.counts("f", releasing))
                """
            let (sums, payouts) = try session.rows(
                """
                SELECT l.batch, l.currency, l.decimals, COUNT(*) AS lines, COUNT(l.net) AS nets,
                    CAST(SUM(l.change_units - l.fee_units) AS \(unsafeText: session.dialect.integerType)) AS net,
                    CAST(SUM(CASE WHEN \(RepeatedLines.isRepeated(releasing: releasing))
                        THEN l.change_units - l.fee_units ELSE 0 END) AS \(unsafeText: session.dialect.integerType)) AS repeated
                \(counting) AND l.kind <> 'payout' AND l.currency IS NOT NULL
                GROUP BY l.batch, l.currency, l.decimals ORDER BY l.batch, l.currency, l.decimals
                """,
                """
                SELECT f.sha256, f.psp, f.psp_account, l.* \(counting) AND l.kind = 'payout'
                    AND NOT \(RepeatedLines.hasEarlierEntry(releasing: releasing))
                ORDER BY l.import_id, l.member, l.line
                """
            )
            for row in sums { found.sums.append(try sum(row)) }
            found.payouts += try UnmatchedTable.read(payouts)
        }
        return found
    }

    private static func sum(_ row: Row) throws(SQLError) -> Sum {
        let (decimals, currency) = (Int(try row.integer("decimals")), try row.currency("currency"))
        func amount(_ column: String) throws(SQLError) -> SettlementAmount {
            let units = try row.integer(column)
            guard let amount = SettlementAmount(exactly: units, decimals: decimals, currency: currency) else {
                throw .unexpectedValue(column: column)
            }
            return amount
        }
        let count = try row.integer("lines")
        return Sum(
            batch: try row.text("batch"),
            net: try amount("net"),
            repeated: try amount("repeated"),
            lines: Int(count),
            isNet: try row.integer("nets") == count
        )
    }
}
