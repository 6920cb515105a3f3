import Domain
import SQL

/// The append-only rows that a step adds: facts, events, and the journal's.
enum RecordRows {
    static func insert(_ record: OrderMachine.Record, of order: Order, in session: any Session) throws(SQLError) {
        try insert(record.facts, of: order, in: session)
        try insert(record.events, of: order, in: session)
        try JournalRows.insert(
            record.entries,
            of: order.id,
            marketplace: order.marketplace,
            currency: order.amount.currency,
            in: session
        )
    }

    /// A fact that is known already is the same fact.
    private static func insert(_ facts: [Fact], of order: Order, in session: any Session) throws(SQLError) {
        guard !facts.isEmpty else { return }
        let rows: [[SQLValue]] = facts.map { fact in
            [
                fact.operation.sqlValue, fact.kind.sqlValue, fact.reference.sqlValue, order.marketplace.sqlValue,
                order.id.sqlValue, fact.origin.rawValue.sqlValue, fact.amount.sqlValue, fact.code.sqlValue,
                fact.at.sqlValue,
            ]
        }
        try session.run(
            """
            INSERT INTO fact (operation_id, kind, reference, marketplace, order_id, origin, amount, code, at)
            VALUES \(rows: rows) ON CONFLICT (operation_id, kind, reference) DO NOTHING
            """
        )
    }

    private static func insert(_ events: [OrderEvent], of order: Order, in session: any Session) throws(SQLError) {
        guard !events.isEmpty else { return }
        let rows: [[SQLValue]] = events.map { event in
            [
                order.id.sqlValue, event.sequence.sqlValue, event.id.sqlValue, order.marketplace.sqlValue,
                event.type.sqlValue, event.payment.sqlValue, event.operation.sqlValue, event.at.sqlValue,
                OrderDocuments.text(event.details).sqlValue, (event.caller?.actor).sqlValue,
                (event.caller?.peer).sqlValue, (event.caller?.request).sqlValue,
            ]
        }
        try session.run(
            """
            INSERT INTO event (order_id, sequence, id, marketplace, type, payment_id, operation_id, at, details,
                actor, peer, request_id)
            VALUES \(rows: rows)
            """
        )
    }
}
