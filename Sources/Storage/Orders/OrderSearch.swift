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
        /// When they were created.
        package var created = CreationRange()
        /// What is ordered in all, or one of the payments comes to, in minor units.
        package var amount: Int64?
        /// The currency.
        package var currency: Currency?
        /// Metadata of the order, all of it.
        package var metadata: [MetadataItem] = []
        /// A merchant that has a payment in them.
        package var merchant: MerchantID?
        /// The last four digits of a card that one of the payments was made with.
        package var last4: String?
        /// What a PSP calls a payment, a capture or a refund of theirs.
        package var pspReference: String?
        /// Only orders older than this one, for the next page.
        package var before: OrderID?

        /// A filter that lets everything through.
        package init(marketplace: String?) { self.marketplace = marketplace }
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

    /// The versions of all orders of a marketplace.
    package static func versions(
        of marketplace: String,
        in session: any Session
    ) throws(SQLError) -> [OrderID: Int64] {
        let rows = try session.rows("SELECT id, version FROM orders WHERE marketplace = \(marketplace)")
        var versions: [OrderID: Int64] = [:]
        for row in rows { versions[try row.identifier("id")] = try row.integer("version") }
        return versions
    }

    /// The orders one of whose attempts the PSP knows by that reference.
    package static func find(
        pspReference: String,
        marketplace: String?,
        in session: any Session
    ) throws(SQLError) -> [Order] {
        try PSPNames.orders(named: pspReference, of: marketplace, in: session).filter { order in
            order.payments.flatMap(\.attempts).contains { $0.pspReference == pspReference }
        }
    }

    /// The order a payment belongs to.
    package static func order(
        of payment: PaymentID,
        marketplace: String,
        in session: any Session
    ) throws(SQLError) -> Order? {
        let rows = try session.rows(
            """
            SELECT order_id FROM payment WHERE order_id = \(OrderID(of: payment)) AND id = \(payment)
                AND marketplace = \(marketplace)
            """
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
    /// They are looked for among the orders that are not at rest.
    package static func holding(
        marketplace: String?,
        limit: Int,
        in session: any Session
    ) throws(SQLError) -> [Order] {
        let condition: SQL = marketplace.map { "AND marketplace = \($0)" } ?? ""
        var held: [(lapse: Timestamp?, order: Order)] = []
        var last = ""
        while true {
            let rows = try session.rows(
                """
                SELECT order_id FROM work WHERE order_id > \(last) \(condition) ORDER BY order_id LIMIT \(openPage)
                """
            )
            let ids = try rows.map { row throws(SQLError) in OrderID(try row.text("order_id")) }.compactMap(\.self)
            for order in try OrderReader.loadReadable(ids, in: session).orders {
                let attempts = order.payments.flatMap(\.attempts).filter { $0.held > 0 }
                guard !attempts.isEmpty else { continue }
                held.append((attempts.compactMap(\.expiresAt).min(), order))
            }
            held.sort { one, other in
                let (left, right) = (one.lapse?.microseconds ?? .max, other.lapse?.microseconds ?? .max)
                return (left, one.order.id) < (right, other.order.id)
            }
            held = Array(held.prefix(limit))
            guard rows.count == openPage, let end = try rows.last?.text("order_id") else { return held.map(\.order) }
            last = end
        }
    }

    /// How many orders are looked at together.
    private static let openPage = 500

    private static func identifiers(_ rows: [Row], _ column: String) throws(SQLError) -> [OrderID] {
        var identifiers: [OrderID] = []
        for row in rows { identifiers.append(try row.identifier(column)) }
        return identifiers
    }
}
