import Domain
import SQL

/// The rows of an order's attempts.
enum AttemptRows {
    static func insert(_ order: Order, in session: any Session) throws(SQLError) {
        try insert(order, except: [], in: session)
    }

    private static func insert(_ order: Order, except known: Set<AttemptID>, in session: any Session) throws(SQLError) {
        let rows = order.payments.flatMap { payment in
            payment.attempts.enumerated().filter { !known.contains($0.element.id) }
                .map { row($0.element, at: $0.offset, of: payment, in: order) }
        }
        guard !rows.isEmpty else { return }
        try session.run(
            """
            INSERT INTO attempt (id, payment_id, order_id, position, marketplace, psp, psp_account, merchant_account,
                settles_to, commission_by, psp_reference, psp_state, network, last4, expires_at)
            VALUES \(rows: rows)
            """
        )
    }

    static func update(_ order: Order, from previous: Order, in session: any Session) throws(SQLError) {
        let before = Dictionary(
            uniqueKeysWithValues: previous.payments.flatMap(\.attempts).map { ($0.id, withoutOperations($0)) }
        )
        try insert(order, except: Set(before.keys), in: session)
        for attempt in order.payments.flatMap(\.attempts) {
            guard let stored = before[attempt.id], stored != withoutOperations(attempt) else { continue }
            try session.run(
                """
                UPDATE attempt SET psp_reference = \(attempt.pspReference), psp_state = \(attempt.pspState),
                    network = \(attempt.network), last4 = \(attempt.last4), expires_at = \(attempt.expiresAt)
                WHERE id = \(attempt.id)
                """
            )
        }
    }

    private static func withoutOperations(_ attempt: Attempt) -> Attempt {
        var attempt = attempt
        attempt.operations = []
        return attempt
    }

    private static func row(_ attempt: Attempt, at position: Int, of payment: Payment, in order: Order) -> [SQLValue] {
        let route = attempt.route
        return [
            attempt.id.sqlValue, payment.id.sqlValue, order.id.sqlValue, position.sqlValue,
            order.marketplace.sqlValue, route.psp.sqlValue, route.pspAccount.sqlValue,
            route.merchantAccount.sqlValue, route.settlesTo.rawValue.sqlValue, route.commissionBy.rawValue.sqlValue,
            attempt.pspReference.sqlValue, attempt.pspState.sqlValue, attempt.network.sqlValue,
            attempt.last4.sqlValue, attempt.expiresAt.sqlValue,
        ]
    }
}
