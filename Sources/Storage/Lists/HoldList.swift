package import Domain
package import SQL

/// Lists of what is held on cards.
package enum HoldList {
    /// What to look for; nil means anything.
    package struct Filter: Hashable, Sendable {
        /// The marketplace.
        package var marketplace: String
        /// Whose payments they are of.
        package var merchant: MerchantID?
        /// Whether the merchant itself looks, which sees what its orders came to and nothing of those that came to nothing.
        package var isForMerchant = false
        /// The PSP account.
        package var pspAccount: String?
        /// The currency.
        package var currency: Currency?
        /// What is held, in minor units.
        package var amount: Int64?
        /// What the PSP calls them.
        package var pspReference: String?
        /// When their orders were created.
        package var created = CreationRange()
        /// The last moment at which they lapse.
        package var lapsesBy: Timestamp?
        /// Only holds behind this one, for the next page.
        package var after: AttemptID?

        /// A filter that lets all of a marketplace's through.
        package init(marketplace: String) { self.marketplace = marketplace }
    }

    /// An attempt that holds something, with its payment and its order.
    package struct Item: Hashable, Sendable {
        /// The attempt.
        package let attempt: Attempt
        /// The payment.
        package let payment: Payment
        /// The order.
        package let order: Order
    }

    /// How many orders are looked at together, and how often in a page.
    private static let (window, windows) = (200, 10)

    /// A page of the holds that pass the filter, those of the oldest orders first.
    ///
    /// They are looked for among the orders that are not at rest, a bounded number of them: the page may be short, or even
    /// empty, though there is more.
    ///
    /// - Parameters:
    ///   - filter: what to look for.
    ///   - limit: how many at most.
    ///   - session: the transaction.
    /// - Returns: the holds, and the attempt behind which to go on; nil if there is nothing behind.
    /// - Throws: `SQLError`.
    package static func page(
        _ filter: Filter,
        limit: Int,
        in session: any Session
    ) throws(SQLError) -> (holds: [Item], next: AttemptID?) {
        let bounds = SQL.all(filter.created.bounds(on: "order_id", OrderID.self))
        var (holds, next) = ([Item](), filter.after)
        for _ in 0..<windows {
            let first = next.map { OrderID(of: $0).text } ?? ""
            let rows = try session.rows(
                """
                SELECT order_id FROM work WHERE marketplace = \(filter.marketplace) AND order_id >= \(first)
                    AND \(bounds) ORDER BY order_id LIMIT \(window)
                """
            )
            let ids = try rows.map { row throws(SQLError) in OrderID(try row.text("order_id")) }.compactMap(\.self)
            for order in try OrderReader.loadReadable(ids, in: session).orders {
                holds += filter.holds(of: order).filter { hold in next.map { hold.attempt.id > $0 } ?? true }
            }
            if holds.count > limit { return (Array(holds.prefix(limit)), holds[limit - 1].attempt.id) }
            guard rows.count == window, let end = ids.last else { return (holds, nil) }
            // Behind all that can be of this order.
            next = AttemptID(bits: end.bits | UInt128(UInt32.max))
        }
        return (holds, next)
    }
}

extension HoldList.Filter {
    /// What of an order is held and passes.
    fileprivate func holds(of order: Order) -> [HoldList.Item] {
        // Of an order of a moved clock its identifier alone says when it was really created.
        let isByClock = (order.clock.aheadMicroseconds ?? 0) > 0
        let isWithin =
            created.from.map { $0 <= order.createdAt } ?? true && created.to.map { order.createdAt <= $0 } ?? true
        guard isByClock || isWithin, currency.map({ $0 == order.amount.currency }) ?? true
        else { return [] }
        return order.payments.filter { admits($0, of: order) }
            .flatMap { payment in
                payment.attempts.filter(admits).map { HoldList.Item(attempt: $0, payment: payment, order: order) }
            }
            .sorted { $0.attempt.id < $1.attempt.id }
    }

    private func admits(_ payment: Payment, of order: Order) -> Bool {
        (merchant.map { $0 == payment.merchant } ?? true)
            && (!isForMerchant || order.decision.state == .accepted || payment.captured > 0)
    }

    private func admits(_ attempt: Attempt) -> Bool {
        attempt.held > 0 && (pspAccount.map { $0 == attempt.route.pspAccount } ?? true)
            && (amount.map { $0 == attempt.held } ?? true) && (pspReference.map(attempt.isNamed) ?? true)
            && (lapsesBy.map { last in attempt.expiresAt.map { $0 <= last } ?? false } ?? true)
    }
}
