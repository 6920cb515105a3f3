package import Domain
package import SQL

/// Lists of what a person should look at.
package enum AttentionList {
    /// The place of an item, which no other has: what it is about, and why.
    package struct Place: Hashable, Sendable {
        /// The operation.
        package let operation: OperationID
        /// Why.
        package let reason: Attention.Reason

        /// Pairs them.
        package init(_ operation: OperationID, _ reason: Attention.Reason) {
            self.operation = operation
            self.reason = reason
        }
    }

    /// What to look for; nil means anything.
    package struct Filter: Hashable, Sendable {
        /// The marketplace.
        package var marketplace: String
        /// Whose payments they are about.
        package var merchant: MerchantID?
        /// Whether the merchant itself looks, which sees what its orders came to and nothing of those that came to nothing.
        package var isForMerchant = false
        /// The order.
        package var order: OrderID?
        /// Why.
        package var reason: Attention.Reason?
        /// The amount at risk, in minor units.
        package var amount: Int64?
        /// The currency.
        package var currency: Currency?
        /// Since when.
        package var created = CreationRange()
        /// Only items behind this one, for the next page.
        package var after: Place?

        /// A filter that lets all of a marketplace's through.
        package init(marketplace: String) { self.marketplace = marketplace }
    }

    /// Something to look at, with its payment and its order.
    package struct Item: Hashable, Sendable {
        /// What it is.
        package let attention: Attention
        /// The payment.
        package let payment: Payment
        /// The order.
        package let order: Order

        /// Its place.
        package var place: Place { Place(attention.operation, attention.reason) }
    }

    /// A page of the items that pass the filter, those of the oldest orders first.
    ///
    /// Reads a bounded number of rows: the page may be short, or even empty, though there is more. What stands there of an
    /// order that cannot be read is left out.
    ///
    /// - Parameters:
    ///   - filter: what to look for.
    ///   - limit: how many at most.
    ///   - session: the transaction.
    /// - Returns: the items, and the one behind which to go on; nil if there is nothing behind.
    /// - Throws: `SQLError`.
    package static func page(
        _ filter: Filter,
        limit: Int,
        in session: any Session
    ) throws(SQLError) -> (items: [Item], next: Place?) {
        let found = try filter.scan.page(limit: limit, from: filter.after.map(Filter.place), in: session)
        var ids: Set<OrderID> = []
        for row in found.rows { ids.insert(try row.identifier("order_id")) }
        let orders = try OrderReader.loadReadable(Array(ids), in: session).orders
        let known = Dictionary(orders.map { ($0.id, $0) }) { first, _ in first }
        var items: [Item] = []
        for row in found.rows {
            let place = try Filter.place(of: row)
            let id: OrderID = try row.identifier("order_id")
            guard let order = known[id],
                let item = order.attention.first(where: { Place($0.operation, $0.reason) == place }),
                let payment = order.payments.first(where: { $0.id == item.payment })
            else { continue }
            items.append(Item(attention: item, payment: payment, order: order))
        }
        return (items, try found.last.map { row throws(SQLError) in try Filter.place(of: row) })
    }
}

extension AttentionList.Filter {
    fileprivate static func place(of row: Row) throws(SQLError) -> AttentionList.Place {
        AttentionList.Place(try row.identifier("operation_id"), try row.word("reason"))
    }

    /// What is behind an item.
    fileprivate static func place(_ place: AttentionList.Place) -> SQL {
        """
        (a.order_id, a.operation_id, a.reason)
            > (\(OrderID(of: place.operation)), \(place.operation), \(place.reason.rawValue))
        """
    }

    /// The items of a marketplace, in the order of their orders.
    fileprivate var scan: BoundedScan {
        var conditions: [SQL] = ["a.marketplace = \(marketplace)"] + created.conditions(on: "a.since")
        if let order { conditions.append("a.order_id = \(order)") }
        if let reason { conditions.append("a.reason = \(reason.rawValue)") }
        if let amount { conditions.append("a.amount_at_risk = \(amount)") }
        return BoundedScan(
            source: """
                SELECT a.order_id AS order_id, a.operation_id AS operation_id, a.reason AS reason,
                    a.payment_id AS payment_id
                FROM attention AS a WHERE \(SQL.all(conditions))
                """,
            columns: "order_id, operation_id, reason",
            condition: condition,
            order: "order_id, operation_id, reason",
            place: { row throws(SQLError) in Self.place(try Self.place(of: row)) }
        )
    }

    private var condition: SQL {
        var conditions: [SQL] = []
        if let currency { conditions.append(.ofOrders(in: currency)) }
        if let merchant { conditions.append(.ofPayments(to: merchant)) }
        if isForMerchant {
            conditions.append(
                """
                EXISTS (SELECT 1 FROM payment AS p JOIN orders AS o ON o.id = p.order_id
                    WHERE p.order_id = looked.order_id AND p.id = looked.payment_id
                        AND (o.decision = 'accepted' OR p.captured > 0))
                """
            )
        }
        return SQL.all(conditions)
    }
}
