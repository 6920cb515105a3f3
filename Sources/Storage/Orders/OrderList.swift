package import Domain
package import SQL

/// Lists of orders.
extension OrderSearch {
    /// The orders that pass the filter, newest first, at most `limit`, however many have to be looked at.
    ///
    /// - Throws: `SQLError`; where one of them cannot be read, too.
    package static func list(_ filter: Filter, limit: Int, in session: any Session) throws(SQLError) -> [Order] {
        try gather(filter, limit: limit, in: session) { ids throws(SQLError) in try OrderReader.load(ids, in: session) }
    }

    /// The same, without those that cannot be read, of which it is said why.
    ///
    /// - Throws: `SQLError`.
    package static func listReadable(
        _ filter: Filter,
        limit: Int,
        in session: any Session
    ) throws(SQLError) -> (orders: [Order], unreadable: [OrderID: StepFailure]) {
        var unreadable: [OrderID: StepFailure] = [:]
        let orders = try gather(filter, limit: limit, in: session) { ids throws(SQLError) in
            let read = try OrderReader.loadReadable(ids, in: session)
            unreadable.merge(read.unreadable) { known, _ in known }
            return read.orders
        }
        return (orders, unreadable)
    }

    private static func gather(
        _ filter: Filter,
        limit: Int,
        in session: any Session,
        _ load: ([OrderID]) throws(SQLError) -> [Order]
    ) throws(SQLError) -> [Order] {
        var (filter, orders) = (filter, [Order]())
        while true {
            let page = try ids(filter, limit: limit - orders.count, in: session)
            orders += try load(page.ids).filter(filter.admits)
            guard let next = page.next, orders.count < limit else { return orders }
            filter.before = next
        }
    }

    /// A page of the orders that pass the filter, newest first.
    ///
    /// Reads a bounded number of rows: the page may be short, or even empty, though there is more. Orders that cannot be read
    /// are left out.
    ///
    /// - Parameters:
    ///   - filter: what to look for.
    ///   - limit: how many orders at most.
    ///   - session: the transaction.
    /// - Returns: the orders, and the order behind which to go on; nil if there is nothing behind.
    /// - Throws: `SQLError`.
    package static func page(
        _ filter: Filter,
        limit: Int,
        in session: any Session
    ) throws(SQLError) -> (orders: [Order], next: OrderID?) {
        let found = try ids(filter, limit: limit, in: session)
        return (try OrderReader.loadReadable(found.ids, in: session).orders.filter(filter.admits), found.next)
    }

    private static func ids(
        _ filter: Filter,
        limit: Int,
        in session: any Session
    ) throws(SQLError) -> (ids: [OrderID], next: OrderID?) {
        let scan = filter.merchant == nil ? filter.scan : filter.scanOfMerchant
        let found = try scan.page(limit: limit, from: filter.start, in: session)
        var ids: [OrderID] = []
        for row in found.rows { ids.append(try row.identifier("id")) }
        return (ids, try found.last.map { row throws(SQLError) in try row.identifier("id") })
    }

    /// The order of a marketplace that a reference means: the one that uses it, else the latest that used it.
    package static func order(
        reference: String,
        of marketplace: String,
        in session: any Session
    ) throws(SQLError) -> Order? {
        if let live = try live(reference: reference, of: marketplace, in: session) {
            return try OrderReader.load(live, in: session)
        }
        var filter = Filter(marketplace: marketplace)
        filter.reference = reference
        return try list(filter, limit: 1, in: session).first
    }
}

extension OrderSearch.Filter {
    private static let columns: SQL = """
        o.id AS id, o.status AS status, o.currency AS currency, o.amount AS amount, o.created_at AS created_at,
        o.metadata AS metadata
        """

    /// The orders of a marketplace in their order.
    fileprivate var scan: BoundedScan {
        var conditions = indexed + created.bounds(on: "o.id", OrderID.self)
        if let marketplace { conditions.append("o.marketplace = \(marketplace)") }
        return BoundedScan(
            source: "SELECT \(Self.columns) FROM orders AS o WHERE \(SQL.all(conditions))",
            columns: "id",
            condition: condition,
            order: "id DESC",
            place: { row throws(SQLError) in "o.id < \(try row.text("id"))" }
        )
    }

    /// The orders with a payment of a merchant, in the order of those payments, whose identifiers begin with the orders'.
    fileprivate var scanOfMerchant: BoundedScan {
        var conditions = indexed + created.bounds(on: "m.id", PaymentID.self)
        if let marketplace { conditions.append("m.marketplace = \(marketplace)") }
        if let merchant { conditions.append("m.merchant = \(merchant)") }
        return BoundedScan(
            source: """
                SELECT \(Self.columns), m.id AS payment_id FROM payment AS m JOIN orders AS o ON o.id = m.order_id
                WHERE \(SQL.all(conditions))
                """,
            columns: "id, payment_id",
            condition: condition,
            order: "payment_id DESC",
            place: { row throws(SQLError) in "m.id < \(try row.text("payment_id"))" }
        )
    }

    /// Whether an order is one of those that the conditions let through, where these let others through too.
    fileprivate func admits(_ order: Order) -> Bool { metadata.allSatisfy(order.metadata.contains) }

    /// What is behind ``before``.
    fileprivate var start: SQL? {
        before.map { order in merchant == nil ? "o.id < \(order)" : "m.id < \(PaymentID(bits: order.bits))" }
    }

    /// What an index serves.
    private var indexed: [SQL] {
        var conditions: [SQL] = []
        if let reference { conditions.append("o.reference = \(reference)") }
        if let pspReference { conditions.append(PSPNames.isNamed("o.id", pspReference, of: marketplace)) }
        return conditions
    }

    /// What none does.
    private var condition: SQL {
        var conditions = created.conditions(on: "looked.created_at")
        if let status { conditions.append("looked.status = \(status.rawValue)") }
        if let createdAfter { conditions.append("looked.created_at > \(createdAfter)") }
        if let currency { conditions.append("looked.currency = \(currency.code)") }
        conditions += metadata.map { SQL.has($0, in: "looked.metadata") }
        func hasPayment(_ condition: SQL) -> SQL {
            "EXISTS (SELECT 1 FROM payment AS p WHERE p.order_id = looked.id AND \(condition))"
        }
        if let amount { conditions.append("(looked.amount = \(amount) OR \(hasPayment("p.amount = \(amount)")))") }
        if let last4 { conditions.append(hasPayment(AttemptDocuments.hasCard(endingIn: last4, in: "p.attempts"))) }
        return SQL.all(conditions)
    }
}
