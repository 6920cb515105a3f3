package import Domain
package import SQL

/// Finds orders.
package enum OrderSearch {
    /// What to look for; nil means anything.
    package struct Filter: Hashable, Sendable {
        /// The marketplace; nil for all, which only operators on the machine may ask.
        package var marketplace: String?
        /// The marketplace's reference.
        package var reference: String?
        /// The status.
        package var status: OrderStatus?
        /// Only orders created after this moment.
        package var createdAfter: Timestamp?
        /// Only orders older than this one, for the next page.
        package var before: OrderID?

        /// A filter that lets everything through.
        package init(marketplace: String?) { self.marketplace = marketplace }
    }

    /// The orders that pass the filter, newest first, at most `limit`.
    package static func list(_ filter: Filter, limit: Int, in session: any Session) throws(SQLError) -> [Order] {
        var conditions: [SQL] = ["1 = 1"]
        if let marketplace = filter.marketplace { conditions.append("marketplace = \(marketplace)") }
        if let reference = filter.reference { conditions.append("reference = \(reference)") }
        if let status = filter.status { conditions.append("status = \(status.rawValue)") }
        if let moment = filter.createdAfter { conditions.append("created_at > \(moment)") }
        if let before = filter.before { conditions.append("id < \(before)") }
        let condition = conditions.dropFirst().reduce(conditions[0]) { "\($0) AND \($1)" }
        let rows = try session.rows("SELECT id FROM orders WHERE \(condition) ORDER BY id DESC LIMIT \(limit)")
        return try OrderReader.load(identifiers(rows, "id"), in: session)
    }

    /// The order of a marketplace that uses a reference at this time.
    package static func live(
        reference: String,
        of marketplace: String,
        in session: any Session
    ) throws(SQLError) -> OrderID? {
        try session.rows(
            "SELECT id FROM orders WHERE marketplace = \(marketplace) AND live_reference = \(reference)"
        ).first?.identifier("id")
    }

    /// The orders one of whose attempts the PSP knows by that reference.
    package static func find(
        pspReference: String,
        marketplace: String?,
        in session: any Session
    ) throws(SQLError) -> [Order] {
        let rows = try session.rows("SELECT order_id FROM attempt WHERE psp_reference = \(pspReference)")
        return try OrderReader.load(identifiers(rows, "order_id"), in: session)
            .filter { marketplace == nil || $0.marketplace == marketplace }
    }

    /// The order a payment belongs to.
    package static func order(
        of payment: PaymentID,
        marketplace: String,
        in session: any Session
    ) throws(SQLError) -> Order? {
        let rows = try session.rows(
            "SELECT order_id FROM payment WHERE id = \(payment) AND marketplace = \(marketplace)"
        )
        return try OrderReader.load(identifiers(rows, "order_id"), in: session).first
    }

    /// The order a refund belongs to.
    package static func order(
        ofRefund refund: RefundID,
        marketplace: String,
        in session: any Session
    ) throws(SQLError) -> Order? {
        let rows = try session.rows(
            "SELECT order_id FROM refund WHERE id = \(refund) AND marketplace = \(marketplace)"
        )
        return try OrderReader.load(identifiers(rows, "order_id"), in: session).first
    }

    /// The orders with something a person should look at, oldest first, without those that cannot be read.
    package static func needingAttention(
        marketplace: String?,
        limit: Int,
        in session: any Session
    ) throws(SQLError) -> [Order] {
        let ids = try idsNeedingAttention(marketplace: marketplace, limit: limit, in: session)
        return try OrderReader.loadReadable(ids, in: session).orders
    }

    /// The orders with something a person should look at that cannot be read, and why.
    package static func unreadableNeedingAttention(
        marketplace: String?,
        limit: Int,
        in session: any Session
    ) throws(SQLError) -> [OrderID: StepFailure] {
        let ids = try idsNeedingAttention(marketplace: marketplace, limit: limit, in: session)
        return try OrderReader.loadReadable(ids, in: session).unreadable
    }

    private static func idsNeedingAttention(
        marketplace: String?,
        limit: Int,
        in session: any Session
    ) throws(SQLError) -> [OrderID] {
        let condition: SQL = marketplace.map { "WHERE marketplace = \($0)" } ?? ""
        let rows = try session.rows(
            """
            SELECT order_id FROM attention \(condition) GROUP BY order_id
            ORDER BY MIN(since), order_id LIMIT \(limit)
            """
        )
        return try identifiers(rows, "order_id")
    }

    /// The orders with something held on a card, those that lapse first in front.
    ///
    /// A void that succeeded released all there was, whatever became of the payment before; so did a final capture.
    package static func holding(
        marketplace: String?,
        limit: Int,
        in session: any Session
    ) throws(SQLError) -> [Order] {
        let condition: SQL = marketplace.map { "AND payment.marketplace = \($0)" } ?? ""
        let rows = try session.rows(
            """
            SELECT payment.order_id FROM payment JOIN attempt ON attempt.payment_id = payment.id
            WHERE payment.authorized > payment.captured \(condition)
                AND NOT EXISTS (SELECT 1 FROM operation WHERE operation.attempt_id = attempt.id
                    AND operation.state = 'succeeded'
                    AND (operation.kind = 'void' OR (operation.kind = 'capture' AND operation.is_final = 1)))
            GROUP BY payment.order_id ORDER BY MIN(attempt.expires_at), payment.order_id LIMIT \(limit)
            """
        )
        return try OrderReader.load(identifiers(rows, "order_id"), in: session)
    }

    private static func identifiers(_ rows: [Row], _ column: String) throws(SQLError) -> [OrderID] {
        var identifiers: [OrderID] = []
        for row in rows { identifiers.append(try row.identifier(column)) }
        return identifiers
    }
}
