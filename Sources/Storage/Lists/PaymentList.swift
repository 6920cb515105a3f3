package import Domain
package import SQL

/// Lists of payments.
package enum PaymentList {
    /// What to look for; nil means anything.
    package struct Filter: Hashable, Sendable {
        /// The marketplace.
        package var marketplace: String
        /// Whose they are.
        package var merchant: MerchantID?
        /// Whether the merchant itself looks, which sees what its orders came to and nothing of those that came to nothing.
        package var isForMerchant = false
        /// The order.
        package var order: OrderID?
        /// Where they stand.
        package var status: PaymentState?
        /// The merchant's reference.
        package var reference: String?
        /// What is to be paid, in minor units.
        package var amount: Int64?
        /// The currency.
        package var currency: Currency?
        /// The last four digits of the card.
        package var last4: String?
        /// What a PSP calls them, a capture or a refund of theirs.
        package var pspReference: String?
        /// Their metadata, all of it.
        package var metadata: [MetadataItem] = []
        /// When their orders were created.
        package var created = CreationRange()
        /// Only payments before this one, for the next page.
        package var before: PaymentID?

        /// A filter that lets all of a marketplace's through.
        package init(marketplace: String) { self.marketplace = marketplace }
    }

    /// A payment and its order.
    package struct Item: Hashable, Sendable {
        /// The payment.
        package let payment: Payment
        /// Its order.
        package let order: Order
    }

    /// A page of the payments that pass the filter, those of the newest orders first.
    ///
    /// Reads a bounded number of rows: the page may be short, or even empty, though there is more. The payments of an order
    /// that cannot be read are left out.
    ///
    /// - Parameters:
    ///   - filter: what to look for.
    ///   - limit: how many at most.
    ///   - session: the transaction.
    /// - Returns: the payments, and the payment behind which to go on; nil if there is nothing behind.
    /// - Throws: `SQLError`.
    package static func page(
        _ filter: Filter,
        limit: Int,
        in session: any Session
    ) throws(SQLError) -> (payments: [Item], next: PaymentID?) {
        let scan = filter.merchant == nil ? filter.scan : filter.scanOfMerchant
        let start: SQL? = filter.before.map { payment in
            filter.merchant == nil ? "o.id <= \(OrderID(of: payment)) AND p.id < \(payment)" : "p.id < \(payment)"
        }
        let found = try scan.page(limit: limit, from: start, in: session)
        var places: [(payment: PaymentID, order: OrderID)] = []
        for row in found.rows { places.append((try row.identifier("id"), try row.identifier("order_id"))) }
        let orders = try OrderReader.loadReadable(Array(Set(places.map(\.order))), in: session).orders
        let known = Dictionary(orders.map { ($0.id, $0) }) { first, _ in first }
        let items = places.compactMap { place -> Item? in
            guard let order = known[place.order], let payment = order.payments.first(where: { $0.id == place.payment })
            else { return nil }
            return Item(payment: payment, order: order)
        }
        let next: PaymentID? = try found.last.map { row throws(SQLError) in try row.identifier("id") }
        return (items.filter(filter.admits), next)
    }
}

extension PaymentList.Filter {
    private static let columns: SQL = """
        p.id AS id, p.order_id AS order_id, p.status AS status, p.amount AS amount, p.captured AS captured,
        p.metadata AS metadata, o.currency AS currency, o.created_at AS created_at, o.decision AS decision
        """

    /// The payments of a marketplace in the order of their orders.
    fileprivate var scan: BoundedScan {
        let conditions: [SQL] =
            ["o.marketplace = \(marketplace)"] + indexed + created.bounds(on: "o.id", OrderID.self)
        return BoundedScan(
            source: """
                SELECT \(Self.columns) FROM orders AS o JOIN payment AS p ON p.order_id = o.id
                WHERE \(SQL.all(conditions))
                """,
            columns: "id, order_id",
            condition: condition,
            order: "order_id DESC, id DESC",
            place: { row throws(SQLError) in
                "o.id <= \(try row.text("order_id")) AND p.id < \(try row.text("id"))"
            }
        )
    }

    /// The payments of a merchant in their order.
    fileprivate var scanOfMerchant: BoundedScan {
        var conditions: [SQL] =
            ["p.marketplace = \(marketplace)"] + indexed + created.bounds(on: "p.id", PaymentID.self)
        if let merchant { conditions.append("p.merchant = \(merchant)") }
        return BoundedScan(
            source: """
                SELECT \(Self.columns) FROM payment AS p JOIN orders AS o ON o.id = p.order_id
                WHERE \(SQL.all(conditions))
                """,
            columns: "id, order_id",
            condition: condition,
            order: "id DESC",
            place: { row throws(SQLError) in "p.id < \(try row.text("id"))" }
        )
    }

    /// What an index serves.
    private var indexed: [SQL] {
        var conditions: [SQL] = []
        if let order { conditions.append("p.order_id = \(order)") }
        if let reference { conditions.append("p.reference = \(reference)") }
        if let pspReference { conditions.append(PSPNames.isNamed("p.order_id", pspReference, of: marketplace)) }
        return conditions
    }

    /// What none does.
    private var condition: SQL {
        var conditions = created.conditions(on: "looked.created_at")
        if isForMerchant { conditions.append("(looked.decision = 'accepted' OR looked.captured > 0)") }
        if let status { conditions.append("looked.status = \(status.rawValue)") }
        if let amount { conditions.append("looked.amount = \(amount)") }
        if let currency { conditions.append("looked.currency = \(currency.code)") }
        conditions += metadata.map { SQL.has($0, in: "looked.metadata") }
        if let last4 {
            let hasCard = AttemptDocuments.hasCard(endingIn: last4, in: "c.attempts")
            conditions.append(
                "EXISTS (SELECT 1 FROM payment AS c WHERE c.order_id = looked.order_id AND c.id = looked.id AND \(hasCard))"
            )
        }
        return SQL.all(conditions)
    }

    /// Whether a payment is one of those that the conditions let through, where these let others through too.
    fileprivate func admits(_ item: PaymentList.Item) -> Bool {
        metadata.allSatisfy(item.payment.metadata.contains)
            && (pspReference.map { name in item.payment.attempts.contains { $0.isNamed(name) } } ?? true)
    }
}

extension Attempt {
    /// Whether the PSP calls it, or anything that was done to it, so.
    func isNamed(_ name: String) -> Bool { pspReference == name || operations.contains { $0.reference == name } }
}
