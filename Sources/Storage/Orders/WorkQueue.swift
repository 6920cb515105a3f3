package import Domain
package import SQL

/// What is due: operations that want to be taken in hand, and orders that want to look at the clock.
package enum WorkQueue {
    /// A due operation.
    package struct DueOperation: Hashable, Sendable {
        /// Its order.
        package let order: OrderID
        /// The operation.
        package let operation: OperationID
    }

    /// Operations due at `now`, longest due first, at most `limit`.
    ///
    /// Taking one in hand is a compare-and-set under the order's row lock, so two instances may read the same list.
    package static func operations(
        dueAt now: Timestamp,
        limit: Int,
        in session: any Session
    ) throws(SQLError) -> [DueOperation] {
        let rows = try session.rows(
            "SELECT id, order_id FROM operation WHERE due_at <= \(now) ORDER BY due_at LIMIT \(limit)"
        )
        var due: [DueOperation] = []
        for row in rows {
            due.append(DueOperation(order: try row.identifier("order_id"), operation: try row.identifier("id")))
        }
        return due
    }

    /// Orders that want to look at the clock at `now`, longest due first, at most `limit`.
    package static func orders(dueAt now: Timestamp, limit: Int, in session: any Session) throws(SQLError) -> [OrderID]
    {
        var due: [OrderID] = []
        for row in try session.rows("SELECT id FROM orders WHERE wake_at <= \(now) ORDER BY wake_at LIMIT \(limit)") {
            due.append(try row.identifier("id"))
        }
        return due
    }

    /// The final answer to an order's checkout, if one was made.
    package static func answer(to order: OrderID, in session: any Session) throws(SQLError) -> [UInt8]? {
        try session.rows("SELECT answer FROM orders WHERE id = \(order)").first?.optionalBytes("answer")
    }
}
