package import Domain
package import SQL
import Storage

/// Pushes that an operator asks for.
package struct WalletOrderPushes: Sendable {
    private let database: any Database

    /// Pushes of a database's orders.
    package init(_ database: any Database) { self.database = database }

    /// Writes down that every device which follows an order is to be pushed; answers how many are owed one more.
    ///
    /// - Throws: `SQLError`.
    package func push(_ order: OrderID, at now: Timestamp) async throws -> Int {
        try await database.write { session in try WalletPushQueue.push(order, at: now, in: session) }
    }
}
