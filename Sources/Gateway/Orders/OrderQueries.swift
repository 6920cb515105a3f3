package import Domain
package import SQL
import Storage

/// Reads what has become of orders.
///
/// Everything is limited to one marketplace.
package struct OrderQueries: Sendable {
    private let database: any Database

    /// Queries over a database.
    package init(_ database: any Database) { self.database = database }

    /// The order, if the marketplace has it.
    ///
    /// - Throws: `SQLError`.
    package func order(_ id: OrderID, of marketplace: String) async throws -> Order? {
        let order = try await database.read { session in try OrderReader.load(id, in: session) }
        return order?.marketplace == marketplace ? order : nil
    }

    /// The order a payment belongs to, if the marketplace has it.
    ///
    /// - Throws: `SQLError`.
    package func order(of payment: PaymentID, marketplace: String) async throws -> Order? {
        try await database.read { session in
            try OrderSearch.order(of: payment, marketplace: marketplace, in: session)
        }
    }

    /// The order a refund belongs to, if the marketplace has it.
    ///
    /// - Throws: `SQLError`.
    package func order(ofRefund refund: RefundID, marketplace: String) async throws -> Order? {
        try await database.read { session in
            try OrderSearch.order(ofRefund: refund, marketplace: marketplace, in: session)
        }
    }

    /// A page of an order's history behind the event with the number `after`, and whether there is more.
    ///
    /// - Throws: `SQLError`.
    package func events(
        of order: OrderID,
        after: Int64,
        limit: Int
    ) async throws -> (events: [OrderEvent], hasMore: Bool) {
        let events = try await database.read { session in
            try OrderSteps.events(of: order, after: after, limit: limit + 1, in: session)
        }
        return (Array(events.prefix(limit)), events.count > limit)
    }
}
