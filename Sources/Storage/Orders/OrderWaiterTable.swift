package import Domain
package import SQL

/// Who waits for an order that another instance drives, and the notice that wakes them.
///
/// Notices are PostgreSQL's, which commits transactions that send one at a time; so only the steps of orders that somebody
/// waits for elsewhere send any. A row that comes too late for a step, or is lost with the server, costs a wait no more than
/// its own next look at the order.
package enum OrderWaiterTable {
    /// The channel on which steps are told, each by its order's identifier.
    package static let channel = "tributary_step"

    /// That an instance waits for an order.
    package struct Waiter: Hashable, Sendable {
        /// The order.
        package let order: OrderID
        /// The instance.
        package let instance: String
        /// Tells apart what one instance wrote, so that what is withdrawn late withdraws nothing newer.
        package let number: Int64
        /// From when on the row counts no more: nobody withdraws that of an instance that has died.
        package let expiresAt: Timestamp

        /// Makes a waiter.
        package init(for order: OrderID, at instance: String, number: Int64, expiresAt: Timestamp) {
            self.order = order
            self.instance = instance
            self.number = number
            self.expiresAt = expiresAt
        }
    }

    /// Has an order's steps be told from now on.
    package static func insert(_ waiter: Waiter, in session: any Session) throws(SQLError) {
        try session.run(
            """
            INSERT INTO order_waiter (order_id, instance, number, expires_at)
            VALUES (\(waiter.order), \(waiter.instance), \(waiter.number), \(waiter.expiresAt))
            """
        )
    }

    /// Withdraws that.
    package static func delete(_ waiter: Waiter, in session: any Session) throws(SQLError) {
        try session.run(
            """
            DELETE FROM order_waiter
            WHERE order_id = \(waiter.order) AND instance = \(waiter.instance) AND number = \(waiter.number)
            """
        )
    }

    /// Deletes what counts no more, but for rows that somebody else is deleting.
    package static func deleteExpired(at now: Timestamp, in session: any Session) throws(SQLError) {
        try session.run(
            """
            DELETE FROM order_waiter WHERE (order_id, instance, number) IN (
                SELECT order_id, instance, number FROM order_waiter WHERE expires_at <= \(now)
                \(unsafeText: session.dialect.lockSkippingLocked)
            )
            """
        )
    }

    /// The query that counts the other instances' waiters for an order.
    static func count(of order: OrderID, besides instance: String, at now: Timestamp) -> SQL {
        """
        SELECT COUNT(*) FROM order_waiter
        WHERE order_id = \(order) AND instance <> \(instance) AND expires_at > \(now)
        """
    }

    /// Tells the instances that listen of an order's step, once the transaction is committed; only on PostgreSQL.
    package static func notify(of order: OrderID, in session: any Session) throws(SQLError) {
        guard session.dialect == .postgres else { return }
        try session.run("SELECT pg_notify(\(channel), \(order))")
    }
}
