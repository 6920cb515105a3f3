import Domain
import SQL

/// The rows of what a person should look at.
enum AttentionRows {
    static func update(_ order: Order, from previous: Order, in session: any Session) throws(SQLError) {
        for item in previous.attention where !order.attention.contains(item) {
            try session.run(
                """
                DELETE FROM attention WHERE order_id = \(order.id) AND operation_id = \(item.operation)
                    AND reason = \(item.reason.rawValue)
                """
            )
        }
        let added = order.attention.filter { !previous.attention.contains($0) }
        guard !added.isEmpty else { return }
        let rows: [[SQLValue]] = added.map { item in
            [
                order.id.sqlValue, item.operation.sqlValue, item.reason.rawValue.sqlValue, order.marketplace.sqlValue,
                item.payment.sqlValue, item.amountAtRisk.sqlValue, item.since.sqlValue, item.webhook.sqlValue,
            ]
        }
        try session.run(
            """
            INSERT INTO attention (order_id, operation_id, reason, marketplace, payment_id, amount_at_risk, since,
                webhook_id)
            VALUES \(rows: rows)
            """
        )
    }
}
