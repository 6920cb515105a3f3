package import Domain
package import SQL

/// Lists of refunds.
package enum RefundList {
    /// What to look for; nil means anything.
    package struct Filter: Hashable, Sendable {
        /// The marketplace.
        package var marketplace: String
        /// A merchant whose payments they give back of.
        package var merchant: MerchantID?
        /// Whether the merchant itself looks, which sees its own part of a refund: what is asked for is asked of that.
        package var isForMerchant = false
        /// The order.
        package var order: OrderID?
        /// Where they stand.
        package var status: Refund.Status?
        /// What is given back in all, in minor units.
        package var amount: Int64?
        /// The currency.
        package var currency: Currency?
        /// What a PSP calls one of their parts.
        package var pspReference: String?
        /// When they were asked for.
        package var created = CreationRange()
        /// Only refunds before this one, for the next page.
        package var before: RefundID?

        /// A filter that lets all of a marketplace's through.
        package init(marketplace: String) { self.marketplace = marketplace }
    }

    /// A refund and its order.
    package struct Item: Hashable, Sendable {
        /// The refund.
        package let refund: Refund
        /// Its order.
        package let order: Order

        /// Pairs them.
        package init(refund: Refund, order: Order) {
            self.refund = refund
            self.order = order
        }

        /// What of it is given back of a merchant's own payments, in an order of those; nil if that is nothing.
        package func part(of merchant: MerchantID) -> Item? {
            var own = order
            own.payments.removeAll { $0.merchant != merchant }
            let items = refund.items.filter { item in own.payments.contains { $0.id == item.payment } }
            guard !items.isEmpty else { return nil }
            let part = Refund(
                id: refund.id,
                items: items,
                borneBy: refund.borneBy,
                reason: refund.reason,
                createdAt: refund.createdAt
            )
            return Item(refund: part, order: own)
        }
    }

    /// How often a page is filled up whose refunds do not stand where they should.
    private static let rounds = 5

    /// A page of the refunds that pass the filter, newest first.
    ///
    /// Reads a bounded number of rows: the page may be short, or even empty, though there is more. The refunds of an order
    /// that cannot be read are left out.
    ///
    /// - Parameters:
    ///   - filter: what to look for.
    ///   - limit: how many at most.
    ///   - session: the transaction.
    /// - Returns: the refunds, and the refund behind which to go on, nil if there is nothing behind; nil if there is
    ///   no refund to begin behind.
    /// - Throws: `SQLError`.
    package static func page(
        _ filter: Filter,
        limit: Int,
        in session: any Session
    ) throws(SQLError) -> (refunds: [Item], next: RefundID?)? {
        var (items, start) = ([Item](), SQL?.none)
        if let before = filter.before {
            let row = try session.rows(
                "SELECT id, created_at FROM refund WHERE id = \(before) AND marketplace = \(filter.marketplace)"
            ).first
            guard let row else { return nil }
            start = try Filter.place(row)
        }
        var last: Row?
        for _ in 0..<rounds {
            let found = try filter.scan.page(limit: limit - items.count, from: start, in: session)
            items += try load(found.rows, in: session).filter(filter.admits)
            last = found.last
            guard let last, items.count < limit else { break }
            start = try Filter.place(last)
        }
        return (items, try last.map { row throws(SQLError) in try row.identifier("id") })
    }

    private static func load(_ rows: [Row], in session: any Session) throws(SQLError) -> [Item] {
        var places: [(refund: RefundID, order: OrderID)] = []
        for row in rows { places.append((try row.identifier("id"), try row.identifier("order_id"))) }
        let orders = try OrderReader.loadReadable(Array(Set(places.map(\.order))), in: session).orders
        let known = Dictionary(orders.map { ($0.id, $0) }) { first, _ in first }
        return places.compactMap { place in
            guard let order = known[place.order], let refund = order.refunds.first(where: { $0.id == place.refund })
            else { return nil }
            return Item(refund: refund, order: order)
        }
    }
}

extension RefundList.Filter {
    /// What is behind a row.
    fileprivate static func place(_ row: Row) throws(SQLError) -> SQL {
        "(r.created_at, r.id) < (\(try row.time("created_at")), \(try row.text("id")))"
    }

    /// The refunds of a marketplace, newest first.
    fileprivate var scan: BoundedScan {
        var conditions: [SQL] = ["r.marketplace = \(marketplace)"] + created.conditions(on: "r.created_at")
        if let order { conditions.append("r.order_id = \(order)") }
        if let pspReference { conditions.append(PSPNames.isNamed("r.order_id", pspReference, of: marketplace)) }
        return BoundedScan(
            source: """
                SELECT r.id AS id, r.order_id AS order_id, r.created_at AS created_at, r.amount AS amount,
                    r.items AS items
                FROM refund AS r WHERE \(SQL.all(conditions))
                """,
            columns: "id, order_id, created_at",
            condition: condition,
            order: "created_at DESC, id DESC",
            place: Self.place
        )
    }

    private var condition: SQL {
        var conditions: [SQL] = []
        if let amount, !isForMerchant { conditions.append("looked.amount = \(amount)") }
        if let currency { conditions.append(.ofOrders(in: currency)) }
        if let merchant {
            conditions.append(
                """
                EXISTS (SELECT 1 FROM payment AS p WHERE p.order_id = looked.order_id AND p.merchant = \(merchant)
                    AND REPLACE(looked.items, p.id, '') <> looked.items)
                """
            )
        }
        return SQL.all(conditions)
    }

    /// Whether a refund is one of those that the conditions let through, where these let others through too.
    fileprivate func admits(_ whole: RefundList.Item) -> Bool {
        var item = whole
        if isForMerchant, let merchant {
            guard let part = whole.part(of: merchant) else { return false }
            item = part
        }
        let attempts = item.order.payments.lazy.flatMap(\.attempts)
        let isNamed = pspReference.map { name in
            attempts.contains { attempt in
                attempt.operations.contains { $0.refund == item.refund.id && $0.reference == name }
                    || attempt.pspReference == name
                        && item.refund.items.contains { $0.payment.isOf(attempt, item.order) }
            }
        }
        return (isNamed ?? true) && (amount.map { $0 == item.refund.amount } ?? true)
            && (status.map { item.order.status(of: item.refund) == $0 } ?? true)
    }
}

extension PaymentID {
    /// Whether an attempt is one at the order's payment of this identifier.
    fileprivate func isOf(_ attempt: Attempt, _ order: Order) -> Bool {
        order.payments.contains { $0.id == self && $0.attempts.contains { $0.id == attempt.id } }
    }
}
