package import Domain
package import SQL

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

        /// What of a fee in any unit the merchant bears; below zero, gets back.
        func merchantShare(of fee: Int64) -> Int64 {
            guard !isPosted else { return 0 }
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
                SELECT d.id, d.fee, y.dispute_liability, y.allocation
                FROM dispute AS d JOIN payment AS y ON y.id = d.payment_id WHERE d.id IN (\(list: page))
                """
            )
            for row in rows {
                bearings[try row.text("id")] = Bearing(
                    liability: try row.word("dispute_liability"),
                    allocation: try OrderDocuments.allocation(try row.text("allocation")),
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
