import Domain
import SQL

/// The rows of an order's payments; their status and amounts are caches of what the operations say.
enum PaymentRows {
    static func insert(_ payments: [Payment], of order: Order, in session: any Session) throws(SQLError) {
        let rows: [[SQLValue]] = payments.enumerated().map { position, payment in
            [
                payment.id.sqlValue, order.id.sqlValue, position.sqlValue, order.marketplace.sqlValue,
                payment.merchant.sqlValue, payment.externalIdentifier.sqlValue, payment.amount.sqlValue,
                payment.reference.sqlValue, OrderDocuments.text(payment.metadata).sqlValue,
                OrderDocuments.text(payment.allocation).sqlValue, payment.state.rawValue.sqlValue,
                payment.authorized.sqlValue, payment.captured.sqlValue, payment.refundedAtMost.sqlValue,
                OrderDocuments.text(payment.alternatives).sqlValue, payment.reroute.rawValue.sqlValue,
                payment.disputeLiability.rawValue.sqlValue,
            ]
        }
        try session.run(
            """
            INSERT INTO payment (id, order_id, position, marketplace, merchant, external_identifier, amount, reference,
                metadata, allocation, status, authorized, captured, refunded, alternatives, reroute,
                dispute_liability)
            VALUES \(rows: rows)
            """
        )
    }

    static func update(_ order: Order, from previous: Order, in session: any Session) throws(SQLError) {
        for (payment, before) in zip(order.payments, previous.payments) where isChanged(payment, from: before) {
            try session.run(
                """
                UPDATE payment SET status = \(payment.state.rawValue), authorized = \(payment.authorized),
                    captured = \(payment.captured), refunded = \(payment.refundedAtMost),
                    allocation = \(OrderDocuments.text(payment.allocation)),
                    alternatives = \(OrderDocuments.text(payment.alternatives)), announced = \(payment.announced)
                WHERE id = \(payment.id)
                """
            )
        }
    }

    private static func isChanged(_ payment: Payment, from before: Payment) -> Bool {
        payment.state != before.state || payment.authorized != before.authorized
            || payment.captured != before.captured || payment.refunded != before.refunded
            || payment.allocation != before.allocation || payment.alternatives != before.alternatives
            || payment.announced != before.announced
    }
}

extension Payment {
    /// What is given back, as far as the column takes it: a capture that failed after its refund leaves more given
    /// back than captured, which the operations tell.
    fileprivate var refundedAtMost: Int64 { min(refunded, captured) }
}
