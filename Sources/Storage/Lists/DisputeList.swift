package import Domain
package import SQL

/// Lists of disputes.
package enum DisputeList {
    /// What to look for; nil means anything.
    package struct Filter: Hashable, Sendable {
        /// The marketplace.
        package var marketplace: String
        /// Whose payments are disputed.
        package var merchant: MerchantID?
        /// The order.
        package var order: OrderID?
        /// The payment.
        package var payment: PaymentID?
        /// Where they stand.
        package var state: DisputeNotice.State?
        /// What is disputed, in minor units.
        package var amount: Int64?
        /// The currency.
        package var currency: Currency?
        /// What the PSP calls them, or their payments.
        package var pspReference: String?
        /// When they were heard of first.
        package var created = CreationRange()
        /// Only disputes before this one, for the next page.
        package var before: DisputeID?

        /// A filter that lets all of a marketplace's through.
        package init(marketplace: String) { self.marketplace = marketplace }
    }

    /// A dispute with its payment and its order.
    package struct Item: Hashable, Sendable {
        /// The dispute.
        package let dispute: Dispute
        /// The payment.
        package let payment: Payment
        /// The order.
        package let order: Order
    }

    /// A page of the disputes that pass the filter, the latest first.
    ///
    /// Reads a bounded number of rows: the page may be short, or even empty, though there is more. The disputes of an order
    /// that cannot be read are left out.
    ///
    /// - Parameters:
    ///   - filter: what to look for.
    ///   - limit: how many at most.
    ///   - session: the transaction.
    /// - Returns: the disputes, and the dispute behind which to go on, nil if there is nothing behind; nil if there is no
    ///   dispute to begin behind.
    /// - Throws: `SQLError`.
    package static func page(
        _ filter: Filter,
        limit: Int,
        in session: any Session
    ) throws(SQLError) -> (disputes: [Item], next: DisputeID?)? {
        var start: SQL?
        if let before = filter.before {
            let row = try session.rows(
                "SELECT id, heard_at FROM dispute WHERE id = \(before) AND marketplace = \(filter.marketplace)"
            ).first
            guard let row else { return nil }
            start = try Filter.place(row)
        }
        let found = try filter.scan.page(limit: limit, from: start, in: session)
        let next: DisputeID? = try found.last.map { row throws(SQLError) in try row.identifier("id") }
        let places = try places(found.rows)
        let orders = try OrderReader.loadReadable(Array(Set(places.map(\.order))), in: session).orders
        return (items(at: places, of: orders), next)
    }

    /// The dispute with that name, if the marketplace has it.
    package static func find(
        _ id: DisputeID,
        of marketplace: String,
        in session: any Session
    ) throws(SQLError) -> Item? {
        let rows = try session.rows(
            "SELECT id, order_id FROM dispute WHERE id = \(id) AND marketplace = \(marketplace)"
        )
        let places = try places(rows)
        return items(at: places, of: try OrderReader.load(places.map(\.order), in: session)).first
    }

    private static func places(_ rows: [Row]) throws(SQLError) -> [(dispute: DisputeID, order: OrderID)] {
        var places: [(dispute: DisputeID, order: OrderID)] = []
        for row in rows { places.append((try row.identifier("id"), try row.identifier("order_id"))) }
        return places
    }

    private static func items(at places: [(dispute: DisputeID, order: OrderID)], of orders: [Order]) -> [Item] {
        let known = Dictionary(orders.map { ($0.id, $0) }) { first, _ in first }
        return places.compactMap { place in
            for payment in known[place.order]?.payments ?? [] {
                guard let order = known[place.order],
                    let dispute = payment.disputes.first(where: { $0.id == place.dispute })
                else { continue }
                return Item(dispute: dispute, payment: payment, order: order)
            }
            return nil
        }
    }
}

extension DisputeList.Filter {
    /// What is behind a row.
    fileprivate static func place(_ row: Row) throws(SQLError) -> SQL {
        "(d.heard_at, d.id) < (\(try row.time("heard_at")), \(try row.text("id")))"
    }

    /// The disputes of a marketplace, the latest first.
    fileprivate var scan: BoundedScan {
        var conditions: [SQL] = ["d.marketplace = \(marketplace)"] + created.conditions(on: "d.heard_at")
        if let order { conditions.append("d.order_id = \(order)") }
        if let payment { conditions.append("d.order_id = \(OrderID(of: payment)) AND d.payment_id = \(payment)") }
        if let pspReference {
            conditions.append("(d.reference = \(pspReference) OR d.payment_reference = \(pspReference))")
        }
        return BoundedScan(
            source: """
                SELECT d.id AS id, d.order_id AS order_id, d.payment_id AS payment_id, d.heard_at AS heard_at,
                    d.amount AS amount, d.state AS state
                FROM dispute AS d WHERE \(SQL.all(conditions))
                """,
            columns: "id, order_id, heard_at",
            condition: condition,
            order: "heard_at DESC, id DESC",
            place: Self.place
        )
    }

    private var condition: SQL {
        var conditions: [SQL] = []
        if let state { conditions.append("looked.state = \(state.rawValue)") }
        if let amount { conditions.append("looked.amount = \(amount)") }
        if let currency { conditions.append(.ofOrders(in: currency)) }
        if let merchant { conditions.append(.ofPayments(to: merchant)) }
        return SQL.all(conditions)
    }
}
