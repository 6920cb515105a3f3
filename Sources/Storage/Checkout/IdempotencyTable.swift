package import Domain
package import SQL

/// Idempotency keys: which order a key made, and a keyed hash of the body it came with.
package enum IdempotencyTable {
    /// A key as a request brings it.
    package struct Use: Hashable, Sendable {
        /// The marketplace.
        package let marketplace: String
        /// Method and path.
        package let scope: String
        /// The key's text.
        package let key: String
        /// A keyed hash of the body, which itself is never stored.
        package let bodyHash: String

        /// Makes a use.
        package init(marketplace: String, scope: String, key: String, bodyHash: String) {
            self.marketplace = marketplace
            self.scope = scope
            self.key = key
            self.bodyHash = bodyHash
        }
    }

    /// What a key stands for.
    package struct Known: Hashable, Sendable {
        /// The order it made.
        package let order: OrderID
        /// The hash of the body it came with.
        package let bodyHash: String
    }

    /// The statement that ``read(_:)`` needs the answer of.
    package static func find(_ use: Use) -> SQL {
        """
        SELECT order_id, body_hash FROM idempotency_key
        WHERE marketplace = \(use.marketplace) AND scope = \(use.scope) AND key = \(use.key)
        """
    }

    /// What the key stands for, if it is known.
    package static func read(_ rows: [Row]) throws(SQLError) -> Known? {
        guard let row = rows.first else { return nil }
        return Known(
            order: try row.identifier("order_id"),
            bodyHash: try row.text("body_hash")
        )
    }

    /// Takes the key for an order.
    ///
    /// - Throws: `SQLError.uniqueViolation`, with the next read or the commit, if another request was first.
    package static func insert(
        _ use: Use,
        order: OrderID,
        at now: Timestamp,
        in session: any Session
    ) throws(SQLError) {
        try session.run(
            """
            INSERT INTO idempotency_key (marketplace, scope, key, body_hash, order_id, created_at)
            VALUES (\(use.marketplace), \(use.scope), \(use.key), \(use.bodyHash), \(order), \(now))
            """
        )
    }
}

/// Keys of requests about an order that exists: their answer is stored beside the key.
extension IdempotencyTable {
    /// What a key of such a request stands for.
    package struct KnownRequest: Hashable, Sendable {
        /// The order it was about.
        package let order: OrderID
        /// The hash of the body it came with.
        package let bodyHash: String
        /// The refund it asked for, if it did.
        package let refund: RefundID?
        /// The final answer, once there is one.
        package let answer: [UInt8]?
    }

    /// What a key stands for, if it is known.
    package static func request(_ use: Use, in session: any Session) throws(SQLError) -> KnownRequest? {
        let rows = try session.rows(
            """
            SELECT order_id, body_hash, refund_id, answer FROM idempotency_key
            WHERE marketplace = \(use.marketplace) AND scope = \(use.scope) AND key = \(use.key)
            """
        )
        guard let row = rows.first else { return nil }
        return KnownRequest(
            order: try row.identifier("order_id"),
            bodyHash: try row.text("body_hash"),
            refund: try row.optionalIdentifier("refund_id"),
            answer: try row.optionalBytes("answer")
        )
    }

    /// Notes which refund a key asked for.
    package static func name(_ refund: RefundID, for use: Use, in session: any Session) throws(SQLError) {
        try session.run(
            """
            UPDATE idempotency_key SET refund_id = \(refund)
            WHERE marketplace = \(use.marketplace) AND scope = \(use.scope) AND key = \(use.key)
            """
        )
    }

    /// Keeps the final answer to a request, unless one is kept already.
    package static func record(_ answer: [UInt8], for use: Use, in session: any Session) throws(SQLError) {
        try session.run(
            """
            UPDATE idempotency_key SET answer = COALESCE(answer, \(answer))
            WHERE marketplace = \(use.marketplace) AND scope = \(use.scope) AND key = \(use.key)
            """
        )
    }
}
