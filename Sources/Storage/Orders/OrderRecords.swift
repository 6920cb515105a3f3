import Domain
import SQL
import StrictJSON

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

/// The rows of what was asked to be given back; what became of it is told by the operations.
enum RefundRows {
    static func insert(_ order: Order, since previous: Order, in session: any Session) throws(SQLError) {
        let known = Set(previous.refunds.map(\.id))
        let rows: [[SQLValue]] = order.refunds.enumerated().filter { !known.contains($0.element.id) }.map {
            let (position, refund) = $0
            return [
                refund.id.sqlValue, order.id.sqlValue, position.sqlValue, order.marketplace.sqlValue,
                text(refund.items).sqlValue, refund.amount.sqlValue, refund.borneBy.rawValue.sqlValue,
                refund.reason.sqlValue, refund.createdAt.sqlValue,
            ]
        }
        guard !rows.isEmpty else { return }
        try session.run(
            """
            INSERT INTO refund (id, order_id, position, marketplace, items, amount, borne_by, reason, created_at)
            VALUES \(rows: rows)
            """
        )
    }

    static func read(_ row: Row) throws(SQLError) -> Refund {
        Refund(
            id: try row.identifier("id"),
            items: try items(try row.text("items")),
            borneBy: try row.word("borne_by"),
            reason: try row.text("reason"),
            createdAt: try row.time("created_at")
        )
    }

    private static func text(_ items: [Refund.Item]) -> String {
        JSON.array(
            items.map { .object([.init("payment", .string($0.payment.text)), .init("amount", .integer($0.amount))]) }
        ).text
    }

    private static func items(_ text: String) throws(SQLError) -> [Refund.Item] {
        guard let documents = (try? JSON.parse(text: text))?.arrayValue else {
            throw .unexpectedValue(column: "items")
        }
        var items: [Refund.Item] = []
        for document in documents {
            guard let payment = document["payment"]?.stringValue.flatMap({ PaymentID($0) }),
                let amount = document["amount"]?.integerValue
            else { throw .unexpectedValue(column: "items") }
            items.append(Refund.Item(payment: payment, amount: amount))
        }
        return items
    }
}

/// The rows of what buyers' banks dispute.
enum DisputeRows {
    static func update(_ order: Order, from previous: Order, in session: any Session) throws(SQLError) {
        let before = Dictionary(
            uniqueKeysWithValues: previous.payments.flatMap(\.disputes).map { ($0.id, $0) }
        )
        guard order.payments.contains(where: { !$0.disputes.isEmpty }) else { return }
        let (names, previousNames) = (pspReferences(order), pspReferences(previous))
        var added: [[SQLValue]] = []
        for payment in order.payments {
            for (position, dispute) in payment.disputes.enumerated()
            where before[dispute.id] != dispute || names[dispute.attempt] != previousNames[dispute.attempt] {
                if before[dispute.id] == nil {
                    added.append(row(dispute, at: position, of: payment, in: order))
                } else {
                    try update(dispute, payment.attempts.first { $0.id == dispute.attempt }, in: session)
                }
            }
        }
        guard !added.isEmpty else { return }
        try session.run(
            """
            INSERT INTO dispute (id, order_id, payment_id, position, marketplace, attempt_id, reference, state, amount,
                reason, respond_by, state_at, heard_at, said_by, fee, psp, psp_account, merchant_account, settles_to,
                payment_reference)
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

    /// What PSPs call the payments of an order, by attempt.
    private static func pspReferences(_ order: Order) -> [AttemptID: String] {
        let named = order.payments.flatMap(\.attempts).compactMap { attempt in
            attempt.pspReference.map { (attempt.id, $0) }
        }
        return Dictionary(uniqueKeysWithValues: named)
    }

    private static func update(
        _ dispute: Dispute,
        _ attempt: Attempt?,
        in session: any Session
    ) throws(SQLError) {
        try session.run(
            """
            UPDATE dispute SET state = \(dispute.state.rawValue), amount = \(dispute.amount),
                reason = \(dispute.reason), respond_by = \(dispute.respondBy), state_at = \(dispute.stateAt),
                reference = \(dispute.reference), said_by = \(dispute.saidBy.rawValue), fee = \(dispute.fee),
                payment_reference = \(attempt?.pspReference)
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
        let attempt = payment.attempts.first { $0.id == dispute.attempt }
        let route = attempt?.route ?? payment.attempt.route
        return [
            dispute.id.sqlValue, order.id.sqlValue, payment.id.sqlValue, position.sqlValue,
            order.marketplace.sqlValue, dispute.attempt.sqlValue, dispute.reference.sqlValue,
            dispute.state.rawValue.sqlValue, dispute.amount.sqlValue, dispute.reason.sqlValue,
            dispute.respondBy.sqlValue, dispute.stateAt.sqlValue, dispute.heardAt.sqlValue,
            dispute.saidBy.rawValue.sqlValue, dispute.fee.sqlValue, route.psp.sqlValue, route.pspAccount.sqlValue,
            route.merchantAccount.sqlValue, route.settlesTo.rawValue.sqlValue, attempt?.pspReference.sqlValue ?? .null,
        ]
    }
}
