package import Domain
package import SQL

/// Payments by whatever a file may call them, for lines that match no expectation.
package enum PaymentCandidateTable {
    /// How many references one statement looks for.
    private static let referencesPerStatement = 2000

    /// The payments that references name: our attempt, payment or order, the marketplace's reference of an order or a
    /// payment, or the PSP's name of a payment, an operation or a dispute.
    ///
    /// - Parameters:
    ///   - references: any number of them.
    ///   - marketplace: the marketplace.
    ///   - session: the transaction.
    /// - Returns: an attempt for each reference that it is known by, by reference and attempt.
    /// - Throws: `SQLError`.
    package static func find(
        _ references: [String],
        of marketplace: String,
        in session: any Session
    ) throws(SQLError) -> [PaymentMatchCandidate] {
        let wanted = Set(references).sorted()
        var found: Set<PaymentMatchCandidate> = []
        var start = 0
        while start < wanted.count {
            let end = min(start + referencesPerStatement, wanted.count)
            let list = wanted[start..<end].map(\.sqlValue)
            for rows in try session.rows(questions(list, marketplace)) {
                for row in rows { found.insert(try read(row)) }
            }
            start = end
        }
        return found.sorted { ($0.reference, $0.attempt) < ($1.reference, $1.attempt) }
    }

    private static func questions(_ list: [SQLValue], _ marketplace: String) -> [SQL] {
        func question(_ key: String, _ tables: SQL = "") -> SQL {
            """
            SELECT \(unsafeText: key) AS found, a.order_id, a.payment_id, a.id AS attempt_id, y.merchant,
                a.psp_account, y.status
            FROM attempt AS a JOIN payment AS y ON y.id = a.payment_id AND y.order_id = a.order_id
                JOIN orders AS r ON r.id = a.order_id \(tables)
            WHERE a.marketplace = \(marketplace) AND \(unsafeText: key) IN (\(list: list))
            """
        }
        return [
            question("a.id"), question("a.psp_reference"), question("y.id"), question("y.reference"),
            question("r.id"), question("r.reference", "AND r.marketplace = \(marketplace)"),
            question("o.id", "JOIN operation AS o ON o.attempt_id = a.id"),
            question("o.reference", "JOIN operation AS o ON o.attempt_id = a.id"),
            question("d.reference", "JOIN dispute AS d ON d.attempt_id = a.id"),
        ]
    }

    private static func read(_ row: Row) throws(SQLError) -> PaymentMatchCandidate {
        PaymentMatchCandidate(
            reference: try row.text("found"),
            order: try row.identifier("order_id"),
            payment: try row.identifier("payment_id"),
            attempt: try row.identifier("attempt_id"),
            merchant: try row.identifier("merchant"),
            pspAccount: try row.text("psp_account"),
            status: try row.text("status")
        )
    }
}
