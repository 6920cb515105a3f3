package import Domain
package import SQL

extension WorkTable {
    /// The orders that are not at rest, in the order of their identifiers.
    ///
    /// - Parameters:
    ///   - order: the one behind which to begin; nil for the first page.
    ///   - limit: how many at most.
    ///   - session: the transaction.
    /// - Returns: their identifiers.
    /// - Throws: `SQLError`.
    package static func unsettled(
        after order: OrderID?,
        limit: Int,
        in session: any Session
    ) throws(SQLError) -> [OrderID] {
        let place: SQL = order.map { "WHERE order_id > \($0)" } ?? ""
        let rows = try session.rows("SELECT order_id FROM work \(place) ORDER BY order_id LIMIT \(limit)")
        return try rows.map { row throws(SQLError) in try row.identifier("order_id") }
    }
}
