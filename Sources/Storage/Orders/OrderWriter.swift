package import Domain
package import SQL

/// Writes an order and what a step of the machine adds to it.
package enum OrderWriter {
    /// Writes down an order that was just placed.
    ///
    /// - Throws: `SQLError.uniqueViolation` if its reference is in use; the error surfaces with the next read or
    ///   the commit.
    package static func insert(
        _ order: Order,
        _ record: OrderMachine.Record,
        wakeAt: Timestamp?,
        in session: any Session
    ) throws(SQLError) {
        try insertOrder(order, wakeAt: wakeAt, in: session)
        try PaymentRows.insert(order.payments, of: order, in: session)
        try AttemptRows.insert(order, in: session)
        try OperationRows.insert(OperationRows.all(of: order), of: order, record, in: session)
        try RecordRows.insert(record, of: order, in: session)
    }

    /// Writes what changed between `previous` and `order`, whose row the caller has locked.
    ///
    /// - Parameters:
    ///   - order: the order as it is now.
    ///   - previous: the order as it is stored.
    ///   - record: what the step adds.
    ///   - answer: the final answer to the checkout, if this step makes it.
    ///   - wakeAt: when the order wants to look at the clock.
    ///   - session: the transaction.
    /// - Throws: `SQLError`; much of it surfaces with the commit.
    package static func update(
        _ order: Order,
        from previous: Order,
        _ record: OrderMachine.Record,
        answer: [UInt8]?,
        wakeAt: Timestamp?,
        in session: any Session
    ) throws(SQLError) {
        try updateOrder(order, answer: answer, wakeAt: wakeAt, in: session)
        try PaymentRows.update(order, from: previous, in: session)
        try AttemptRows.update(order, from: previous, in: session)
        try OperationRows.update(order, from: previous, record, in: session)
        try RefundRows.insert(order, since: previous, in: session)
        try DisputeRows.update(order, from: previous, in: session)
        try AttentionRows.update(order, from: previous, in: session)
        try CredentialTable.move(record.credentialMoves, in: session)
        try CredentialTable.erase(record.erasures, in: session)
        try RecordRows.insert(record, of: order, in: session)
    }

    private static func insertOrder(_ order: Order, wakeAt: Timestamp?, in session: any Session) throws(SQLError) {
        let (terms, decision) = (order.terms, order.decision)
        try session.run(
            """
            INSERT INTO orders (id, marketplace, reference, live_reference, currency, amount, payable, policy, capture,
                on_deadline, on_capture_failure, deadline_at, decide_by, return_url, decision, decision_reason,
                decided_at, counts_on, status, action_since, wake_at, event_sequence, version, metadata, created_at,
                wallet)
            VALUES (\(order.id), \(order.marketplace), \(order.reference), \(order.liveReference),
                \(order.amount.currency.code), \(order.amount.minorUnits), \(order.payable),
                \(OrderDocuments.text(terms.policy)), \(terms.capture.rawValue), \(terms.onDeadline.rawValue),
                \(terms.onCaptureFailure.rawValue), \(terms.deadlineAt), \(terms.decideBy), \(terms.returnURL),
                \(decision.state.rawValue), \(decision.reason?.rawValue), \(decision.at), \(order.countsOnText),
                \(order.status.rawValue), \(order.actionSince), \(wakeAt), \(order.eventSequence), \(order.version),
                \(OrderDocuments.text(order.metadata)), \(order.createdAt), \(terms.wallet?.rawValue))
            """
        )
    }

    private static func updateOrder(
        _ order: Order,
        answer: [UInt8]?,
        wakeAt: Timestamp?,
        in session: any Session
    ) throws(SQLError) {
        let decision = order.decision
        try session.run(
            """
            UPDATE orders SET
                live_reference = CASE WHEN live_reference IS NULL THEN NULL
                    ELSE CAST(\(order.liveReference) AS TEXT) END,
                deadline_at = \(order.terms.deadlineAt),
                decision = \(decision.state.rawValue), decision_reason = \(decision.reason?.rawValue),
                decided_at = \(decision.at), counts_on = \(order.countsOnText), status = \(order.status.rawValue),
                action_since = \(order.actionSince), wake_at = \(wakeAt), event_sequence = \(order.eventSequence),
                expiry_told = \(order.isExpiryTold ? 1 : 0), announced = \(order.announced),
                held_until = NULL, failures = 0, failing_since = NULL, failure = NULL, failure_detail = NULL,
                version = \(order.version), answer = COALESCE(answer, CAST(\(answer) AS \(unsafeText: session.dialect.bytesType)))
            WHERE id = \(order.id)
            """
        )
    }
}

extension Order {
    /// The reference, as long as nobody else may use it; one that was given up stays so, for another order may have it.
    fileprivate var liveReference: String? { status.freesReference ? nil : reference }

    fileprivate var countsOnText: String {
        payments.map(\.id).filter(decision.countsOn.contains).map(\.text).joined(separator: ",")
    }
}
