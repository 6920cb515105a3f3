import Domain
import SQL

/// The rows of what buyers' banks dispute.
enum DisputeRows {
    static func update(_ order: Order, from previous: Order, in session: any Session) throws(SQLError) {
        let before = Dictionary(
            uniqueKeysWithValues: previous.payments.flatMap(\.disputes).map { ($0.id, $0) }
        )
        var added: [[SQLValue]] = []
        for payment in order.payments {
            for (position, dispute) in payment.disputes.enumerated() where before[dispute.id] != dispute {
                if before[dispute.id] == nil {
                    added.append(row(dispute, at: position, of: payment, in: order))
                } else {
                    try update(dispute, in: session)
                }
            }
        }
        guard !added.isEmpty else { return }
        try session.run(
            """
            INSERT INTO dispute (id, order_id, payment_id, position, marketplace, attempt_id, reference, state, amount,
                reason, respond_by, state_at, heard_at, said_by, fee)
            VALUES \(rows: added)
            """
        )
    }

    static func read(_ row: Row) throws(SQLError) -> Dispute {
        Dispute(
            id: try row.identifier("id"),
            attempt: try row.identifier("attempt_id"),
            reference: try row.text("reference"),
            heardAt: try row.time("heard_at"),
            state: try row.word("state"),
            amount: try row.integer("amount"),
            reason: try row.optionalText("reason"),
            respondBy: try row.optionalTime("respond_by"),
            stateAt: try row.optionalTime("state_at"),
            saidBy: try row.word("said_by"),
            fee: try row.integer("fee")
        )
    }

    private static func update(_ dispute: Dispute, in session: any Session) throws(SQLError) {
        try session.run(
            """
            UPDATE dispute SET state = \(dispute.state.rawValue), amount = \(dispute.amount),
                reason = \(dispute.reason), respond_by = \(dispute.respondBy), state_at = \(dispute.stateAt),
                reference = \(dispute.reference), said_by = \(dispute.saidBy.rawValue), fee = \(dispute.fee)
            WHERE id = \(dispute.id)
            """
        )
    }

    private static func row(
        _ dispute: Dispute,
        at position: Int,
        of payment: Payment,
        in order: Order
    ) -> [SQLValue] {
        [
            dispute.id.sqlValue, order.id.sqlValue, payment.id.sqlValue, position.sqlValue,
            order.marketplace.sqlValue, dispute.attempt.sqlValue, dispute.reference.sqlValue,
            dispute.state.rawValue.sqlValue, dispute.amount.sqlValue, dispute.reason.sqlValue,
            dispute.respondBy.sqlValue, dispute.stateAt.sqlValue, dispute.heardAt.sqlValue,
            dispute.saidBy.rawValue.sqlValue, dispute.fee.sqlValue,
        ]
    }
}
