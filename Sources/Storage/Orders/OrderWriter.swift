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
        try OrderSteps.insert(record, of: order, in: session)
        try insert(record.entries, of: order, in: session)
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
        try OrderSteps.insert(record, of: order, in: session)
        try insert(record.entries, of: order, in: session)
    }

    private static func insert(
        _ entries: [JournalEntry],
        of order: Order,
        in session: any Session
    ) throws(SQLError) {
        try JournalRows.insert(
            entries,
            of: order.id,
            marketplace: order.marketplace,
            currency: order.amount.currency,
            in: session
        )
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

/// The rows of an order's payments; their status and amounts are caches of what the operations say.
private enum PaymentRows {
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

/// The rows of an order's attempts.
private enum AttemptRows {
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

/// The rows of an order's operations: the intent log and, by `due_at`, the queue of what wants doing.
private enum OperationRows {
    /// An operation with its attempt and its position there.
    struct Placed {
        let operation: Operation
        let attempt: AttemptID
        let pspAccount: String
        let position: Int
    }

    static func all(of order: Order) -> [Placed] {
        order.payments.flatMap(\.attempts).flatMap { attempt in
            attempt.operations.enumerated().map {
                Placed(operation: $1, attempt: attempt.id, pspAccount: attempt.route.pspAccount, position: $0)
            }
        }
    }

    /// The record is what the step adds, whose facts say when effects were posted.
    static func insert(
        _ placed: [Placed],
        of order: Order,
        _ record: OrderMachine.Record,
        in session: any Session
    ) throws(SQLError) {
        guard !placed.isEmpty else { return }
        try session.run(
            """
            INSERT INTO operation (id, attempt_id, order_id, position, marketplace, kind, amount, origin, state, detail,
                done_amount, reference, created_at, replied_at, leases, doubts, due_at, leased_by, refund_id, is_final,
                commission, psp_account, posted_at, sendings, sent_at, sent_under_lease,
                answered_in_doubt, retries)
            VALUES \(rows: placed.map { row($0, of: order, postedAt($0.operation, record)) })
            """
        )
    }

    static func update(
        _ order: Order,
        from previous: Order,
        _ record: OrderMachine.Record,
        in session: any Session
    ) throws(SQLError) {
        let before = Dictionary(
            uniqueKeysWithValues: all(of: previous).map { ($0.operation.id, $0.operation) }
        )
        let placed = all(of: order)
        for operation in placed.map(\.operation) {
            guard let stored = before[operation.id], stored != operation else { continue }
            let isDone = operation.leasedBy == nil
            try session.run(
                """
                UPDATE operation SET state = \(operation.state.name), detail = \(operation.state.detail),
                    done_amount = \(operation.doneAmount), reference = \(operation.reference),
                    replied_at = \(operation.repliedAt), leases = \(operation.leases), doubts = \(operation.doubts),
                    due_at = \(operation.dueAt), leased_by = \(operation.leasedBy),
                    sendings = \(operation.sendings), sent_at = \(operation.sentAt),
                    sent_under_lease = \(operation.sentUnderLease),
                    answered_in_doubt = \(operation.isAnsweredInDoubt ? 1 : 0), retries = \(operation.retries),
                    is_final = \(operation.isFinal ? 1 : 0),
                    posted_at = COALESCE(posted_at,
                        CAST(\(postedAt(operation, record)) AS \(unsafeText: session.dialect.integerType))),
                    held_until = NULL\(isDone ? Self.unfailing : "")
                WHERE id = \(operation.id)
                """
            )
        }
        try insert(placed.filter { before[$0.operation.id] == nil }, of: order, record, in: session)
    }

    /// What a step that leaves an operation in nobody's hand clears: it has succeeded, whatever failed before.
    private static let unfailing: SQL = ", failures = 0, failing_since = NULL, failure = NULL, failure_detail = NULL"

    /// When an operation that moved money was posted; nil for one that did not, or not yet.
    ///
    /// It is posted in the step that hears of it.
    private static func postedAt(_ operation: Operation, _ record: OrderMachine.Record) -> Timestamp? {
        guard operation.kind == .capture || operation.givesBack, operation.doneAmount > 0 else { return nil }
        let heard = record.facts.last { $0.operation == operation.id }
        return heard?.at ?? operation.repliedAt ?? operation.createdAt
    }

    private static func row(_ placed: Placed, of order: Order, _ postedAt: Timestamp?) -> [SQLValue] {
        let operation = placed.operation
        return [
            operation.id.sqlValue, placed.attempt.sqlValue, order.id.sqlValue, placed.position.sqlValue,
            order.marketplace.sqlValue, operation.kind.rawValue.sqlValue, operation.amount.sqlValue,
            operation.origin.rawValue.sqlValue, operation.state.name.sqlValue, operation.state.detail.sqlValue,
            operation.doneAmount.sqlValue, operation.reference.sqlValue, operation.createdAt.sqlValue,
            operation.repliedAt.sqlValue, operation.leases.sqlValue, operation.doubts.sqlValue,
            operation.dueAt.sqlValue, operation.leasedBy.sqlValue, operation.refund.sqlValue,
            (operation.isFinal ? 1 : 0).sqlValue, operation.commission.sqlValue, placed.pspAccount.sqlValue,
            postedAt.sqlValue, operation.sendings.sqlValue, operation.sentAt.sqlValue,
            operation.sentUnderLease.sqlValue, (operation.isAnsweredInDoubt ? 1 : 0).sqlValue,
            operation.retries.sqlValue,
        ]
    }
}
