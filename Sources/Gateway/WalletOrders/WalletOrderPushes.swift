package import Domain
package import SQL
import Storage
import StrictJSON

/// Pushes that an operator asks for.
package struct WalletOrderPushes: Sendable {
    private let database: any Database
    private let actor: AuditActor

    /// Pushes of a database's orders, as somebody asks for them.
    package init(_ database: any Database, by actor: AuditActor) {
        self.database = database
        self.actor = actor
    }

    /// Writes down that every device which follows an order is to be pushed; answers how many are owed one more.
    ///
    /// Where no device follows it nothing changes, and the audit trail has no entry.
    ///
    /// - Throws: `SQLError`.
    package func push(_ order: Order, at now: Timestamp) async throws -> Int {
        try await database.write { session in
            let count = try WalletPushQueue.push(order.id, at: now, in: session)
            guard count > 0 else { return 0 }
            try AuditTrailTable.record(
                .pushWalletOrder,
                by: actor,
                on: AuditSubject(.order, order.id.text),
                of: order.marketplace,
                at: now,
                ["devices": .integer(Int64(count))],
                in: session
            )
            return count
        }
    }
}
