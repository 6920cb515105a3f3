package import Domain
package import SQL

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
    package static func keep(_ answer: [UInt8], for use: Use, in session: any Session) throws(SQLError) {
        try session.run(
            """
            UPDATE idempotency_key SET answer = COALESCE(answer, \(answer))
            WHERE marketplace = \(use.marketplace) AND scope = \(use.scope) AND key = \(use.key)
            """
        )
    }
}
