package import Domain
package import SQL

/// What the lines of an import come to, by batch and currency, added up by the database.
package enum SettledBatchTable {
    /// How many merchants are asked for at once.
    private static let merchantsPerStatement = 2000

    /// The batches of an import, by name and currency.
    ///
    /// What a line tells again that another one of the account told counts once (``RepeatedLines``).
    /// What a PSP settles with a merchant directly is none of our money: neither its fee nor its currency counts. Who
    /// bears the fees of the others is the merchant's commission rule as it stands now; of what a dispute takes, who was
    /// liable at the sale. If the dispute's fee is known and posted already, the file's is the marketplace's expense, out
    /// of which the merchant was charged: nobody bears it twice. One that a file gives back is nobody's any more: disputes
    /// that are told keep the fee that was taken for them.
    ///
    /// - Throws: `SQLError`, for sums of more than 64 bits among others.
    package static func batches(of file: ImportID, in session: any Session) throws(SQLError) -> [SettledBatch] {
        let (sums, conversions) = try session.rows(
            Self.sums(file, session.dialect),
            Self.conversions(file, session.dialect)
        )
        var batches: [Key: SettledBatch] = [:]
        func change(_ row: Row, _ currency: Currency, _ body: (inout SettledBatch) -> Void) throws(SQLError) {
            let key = Key(batch: try row.text("batch"), currency: currency.code)
            body(&batches[key, default: SettledBatch(batch: key.batch, currency: currency)])
        }
        let bearers = try bearers(Set(sums.compactMap { try? $0.text("merchant") }).sorted(), in: session)
        let disputes = try DisputeFeeTable.bearings(Set(sums.compactMap { try? $0.text("dispute") }), in: session)
        for row in sums {
            let decimals = Int(try row.integer("decimals"))
            let (moved, fee) = (try row.integer("moved"), try row.integer("fee"))
            let dispute = try row.optionalText("dispute").flatMap { disputes[$0] }
            let kind: SettlementKind = try row.word("kind")
            let merchant: MerchantID? = try row.optionalIdentifier("merchant")
            try change(row, try row.currency("currency")) { batch in
                if let merchant, let dispute {
                    let share = dispute.merchantShare(of: fee)
                    if share != 0 { batch.merchantFees[merchant, default: ExactSum()].add(share, decimals: decimals) }
                    batch.fees.add(fee - share, decimals: decimals)
                } else if let merchant, bearers[merchant] == .merchant {
                    batch.merchantFees[merchant, default: ExactSum()].add(fee, decimals: decimals)
                } else {
                    batch.fees.add(fee, decimals: decimals)
                }
                switch kind {
                case .payout: batch.payouts.add(moved, decimals: decimals)
                case .reserve: batch.reserves.add(moved, decimals: decimals)
                case .adjustment, .other: batch.adjustments.add(moved, decimals: decimals)
                case .payment, .refund, .chargeback, .chargebackReversal, .commission, .fee: break
                }
            }
        }
        for row in conversions {
            let (settled, sold) = (try row.integer("moved"), try row.integer("sold"))
            let (digits, soldDigits) = (Int(try row.integer("decimals")), Int(try row.integer("sold_decimals")))
            try change(row, try row.currency("currency")) { $0.conversions.add(settled, decimals: digits) }
            try change(row, try row.currency("sold_currency")) { $0.conversions.add(-sold, decimals: soldDigits) }
        }
        return batches.values.sorted { ($0.batch, $0.currency.code) < ($1.batch, $1.currency.code) }
    }

    private struct Key: Hashable {
        let batch: String
        let currency: String
    }

    private static func bearers(
        _ merchants: [String],
        in session: any Session
    ) throws(SQLError) -> [MerchantID: CommissionRule.FeeBearer] {
        var bearers: [MerchantID: CommissionRule.FeeBearer] = [:]
        var start = 0
        while start < merchants.count {
            let end = min(start + merchantsPerStatement, merchants.count)
            let list = merchants[start..<end].map(\.sqlValue)
            for row in try session.rows("SELECT id, commission FROM merchant WHERE id IN (\(list: list))") {
                bearers[try row.identifier("id")] = try CommissionRule(text: try row.text("commission"))
                    .pspFeesBorneBy
            }
            start = end
        }
        return bearers
    }

    /// Changes and fees of all lines that are ours and repeat no other, by what they are and whose.
    ///
    /// A line of a type that nobody knows and that confirms an effect is that effect, which was posted as it was told.
    ///
    /// Matches are looked up line by line: rows that were stored a moment ago are in no statistics, and a planner that
    /// takes them for few would join every line with every match.
    package static func sums(_ file: ImportID, _ dialect: Dialect) -> SQL {
        """
        SELECT s.batch, s.currency, s.decimals, s.kind, s.merchant, s.dispute,
            CAST(SUM(s.change_units) AS \(unsafeText: dialect.integerType)) AS moved,
            CAST(SUM(s.fee_units) AS \(unsafeText: dialect.integerType)) AS fee
        FROM (
            SELECT COALESCE(l.batch, '') AS batch, l.currency, l.decimals, l.change_units, l.fee_units,
                CASE WHEN l.kind = 'other' AND EXISTS (SELECT 1 FROM line_match AS m
                    WHERE \(firstMatch) AND m.subject_id IS NOT NULL) THEN 'payment' ELSE l.kind END AS kind,
                (SELECT m.merchant FROM line_match AS m WHERE \(firstMatch)) AS merchant,
                CASE WHEN l.kind IN ('chargeback', 'chargeback_reversal') AND l.fee_units <> 0 THEN (
                    SELECT m.subject_id FROM line_match AS m WHERE \(firstMatch)
                        AND m.subject_kind IN ('chargeback', 'chargeback_reversal')) END AS dispute
            FROM settlement_line AS l
            WHERE l.import_id = \(file) AND l.currency IS NOT NULL AND (l.kind = 'commission' OR NOT EXISTS (
                SELECT 1 FROM line_match AS m WHERE \(firstMatch) AND \(isDirect)))
                AND NOT \(RepeatedLines.isRepeated(in: file))
        ) AS s GROUP BY s.batch, s.currency, s.decimals, s.kind, s.merchant, s.dispute
        """
    }

    /// What effects that a line confirms were sold for in another currency than they were settled in.
    package static func conversions(_ file: ImportID, _ dialect: Dialect) -> SQL {
        """
        SELECT s.batch, s.currency, s.decimals, s.sold_currency, s.sold_decimals,
            CAST(SUM(s.change_units) AS \(unsafeText: dialect.integerType)) AS moved,
            CAST(SUM(s.sold_units) AS \(unsafeText: dialect.integerType)) AS sold
        FROM (
            SELECT COALESCE(l.batch, '') AS batch, l.currency, l.decimals, l.sold_currency, l.sold_decimals,
                l.change_units, l.sold_units
            FROM settlement_line AS l
            WHERE l.import_id = \(file) AND l.sold_currency IS NOT NULL AND EXISTS (
                SELECT 1 FROM line_match AS m WHERE \(firstMatch) AND m.is_exact = 1 AND NOT \(isDirect))
        ) AS s GROUP BY s.batch, s.currency, s.decimals, s.sold_currency, s.sold_decimals
        """
    }

    /// Whether the PSP settles the attempt of a match `m` with the merchant itself.
    private static var isDirect: SQL {
        """
        EXISTS (SELECT 1 FROM payment AS y WHERE y.order_id = m.order_id AND y.id = m.payment_id
            AND y.direct_attempts LIKE '%' || m.attempt_id || '%')
        """
    }

    /// The match `m` of a line `l` that says whose it is: one at most.
    private static var firstMatch: SQL {
        "m.import_id = l.import_id AND m.member = l.member AND m.line = l.line AND m.position = 0"
    }
}

/// Who bears what settlement files say that PSPs took for disputes.
package enum DisputeFeeTable {
    /// How many disputes are asked for at once.
    private static let disputesPerStatement = 2000

    /// Who bears the fee of one dispute.
    struct Bearing {
        let liability: DisputeLiability
        let allocation: [AllocationLine]
        /// Whether the merchant was charged with its share as the dispute was told.
        let isPosted: Bool

        /// What of a fee in any unit the merchant bears; below zero, gets back, whoever told that the PSP took it.
        func merchantShare(of fee: Int64) -> Int64 {
            guard !isPosted || fee < 0 else { return 0 }
            let share = Int64(fee.magnitude) - liability.marketplaceShare(of: Int64(fee.magnitude), allocation)
            return fee < 0 ? -share : share
        }
    }

    static func bearings(_ disputes: Set<String>, in session: any Session) throws(SQLError) -> [String: Bearing] {
        var bearings: [String: Bearing] = [:]
        var rest = disputes.sorted()[...]
        while !rest.isEmpty {
            let page = rest.prefix(disputesPerStatement).map(\.sqlValue)
            rest = rest.dropFirst(disputesPerStatement)
            let rows = try session.rows(
                """
                SELECT d.id, d.fee, y.dispute_liability, y.allocation, y.allocation_moved
                FROM dispute AS d JOIN payment AS y ON y.order_id = d.order_id AND y.id = d.payment_id
                WHERE d.id IN (\(list: page))
                """
            )
            for row in rows {
                bearings[try row.text("id")] = Bearing(
                    liability: try row.word("dispute_liability"),
                    allocation: try OrderDocuments.allocation(row),
                    isPosted: try row.integer("fee") > 0
                )
            }
        }
        return bearings
    }

    /// The PSP's names for those of an order's disputes whose fee a file that counts has told already, so that who bears
    /// it is posted.
    package static func settled(of order: OrderID, in session: any Session) throws(SQLError) -> Set<String> {
        let rows = try session.rows(
            """
            SELECT DISTINCT d.reference FROM dispute AS d
                JOIN line_match AS m ON m.subject_id = d.id AND m.subject_kind IN ('chargeback', 'chargeback_reversal')
                JOIN import_file AS f ON f.id = m.import_id
                JOIN settlement_line AS l ON l.import_id = m.import_id AND l.member = m.member AND l.line = m.line
            WHERE d.order_id = \(order) AND f.state = 'done' AND l.fee_units <> 0
            """
        )
        var references: Set<String> = []
        for row in rows { references.insert(try row.text("reference")) }
        return references
    }
}
