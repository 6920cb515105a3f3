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
        try insertOrder(order, in: session)
        try PaymentRows.insert(order.payments, of: order, in: session)
        try WorkTable.insert(OrderSchedule(of: order, wakeAt: wakeAt), of: order, in: session)
        try NameRows.insert(order, since: nil, in: session)
        try EffectRows.write(order, since: nil, record, in: session)
        try OrderSteps.insert(record, of: order, answer: nil, in: session)
        try insert(record.entries, of: order, in: session)
    }

    /// Writes what changed between `previous` and `order`, whose row the caller has locked.
    ///
    /// - Parameters:
    ///   - order: the order as it is now.
    ///   - previous: the order as it is stored.
    ///   - record: what the step adds.
    ///   - work: what is stored of when it wants to be looked at.
    ///   - now: the real moment of the step.
    ///   - told: what others are told of it.
    ///   - answer: the final answer to the checkout, if an earlier step made it and it is not kept yet.
    ///   - wakeAt: when the order wants to look at the clock.
    ///   - session: the transaction.
    /// - Throws: `SQLError`; much of it surfaces with the commit.
    package static func update(
        _ order: Order,
        from previous: Order,
        _ record: OrderMachine.Record,
        work: WorkTable.Stored?,
        at now: Timestamp,
        told: [Announcement] = [],
        answer: [UInt8]?,
        wakeAt: Timestamp?,
        in session: any Session
    ) throws(SQLError) {
        try updateOrder(order, from: previous, keepsAnswer: answer != nil, in: session)
        try PaymentRows.update(order, from: previous, in: session)
        let held = try OperationFailures.settle(order, from: previous, in: work, in: session)
        let schedule = OrderSchedule(of: order, wakeAt: wakeAt, held: held)
        try WorkTable.write(schedule, of: order, over: work, at: now, in: session)
        try NameRows.insert(order, since: previous, in: session)
        try EffectRows.write(order, since: previous, record, in: session)
        try RefundRows.insert(order, since: previous, in: session)
        try DisputeRows.update(order, from: previous, in: session)
        try AttentionRows.update(order, from: previous, in: session)
        try CredentialTable.move(record.credentialMoves, in: session)
        try CredentialTable.erase(record.erasures, in: session)
        try OrderSteps.insert(record, of: order, told: told, answer: answer, in: session)
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

    private static func insertOrder(_ order: Order, in session: any Session) throws(SQLError) {
        let (terms, decision) = (order.terms, order.decision)
        try session.run(
            """
            INSERT INTO orders (id, marketplace, reference, live_reference, currency, amount, payable, policy, capture,
                on_deadline, on_capture_failure, deadline_at, decide_by, return_url, decision, decision_reason,
                decided_at, counts_on, status, action_since, event_sequence, version, metadata, created_at, updated_at,
                wallet, trace_parent, clock_ahead, wallet_order_type, wallet_web_service, wallet_offered, agreement,
                agreement_type, charge_reason)
            VALUES (\(order.id), \(order.marketplace), \(order.reference), \(order.liveReference),
                \(order.amount.currency.code), \(order.amount.minorUnits), \(order.payable),
                \(OrderDocuments.text(terms.policy)), \(terms.capture.rawValue), \(terms.onDeadline.rawValue),
                \(terms.onCaptureFailure.rawValue), \(terms.deadlineAt), \(terms.decideBy), \(terms.returnURL),
                \(decision.state.rawValue), \(decision.reason?.rawValue), \(decision.at), \(order.countsOnText),
                \(order.status.rawValue), \(order.actionSince), \(order.eventSequence), \(order.version),
                \(OrderDocuments.text(order.metadata)), \(order.createdAt), \(order.updatedAt),
                \(terms.wallet?.rawValue), \(order.traceParent), \(order.clock.aheadMicroseconds),
                \(order.walletOrder?.type), \(order.walletOrder?.webServiceURL),
                \(order.walletOrder.map { Int64($0.isOfferedToSheet ? 1 : 0) }), \(order.agreement?.agreement),
                \(order.agreement?.type.rawValue), \(order.agreement?.charge?.rawValue))
            """
        )
    }

    private static func updateOrder(
        _ order: Order,
        from previous: Order,
        keepsAnswer: Bool,
        in session: any Session
    ) throws(SQLError) {
        let decision = order.decision
        let clock: SQL = order.clock == previous.clock ? "" : ", clock_ahead = \(order.clock.aheadMicroseconds)"
        let isNew = order.isAnswered && !previous.isAnswered
        let answered: SQL = keepsAnswer ? ", answered = 2" : isNew ? ", answered = 1" : ""
        try session.run(
            """
            UPDATE orders SET
                live_reference = CASE WHEN live_reference IS NULL THEN NULL
                    ELSE CAST(\(order.liveReference) AS TEXT) END,
                deadline_at = \(order.terms.deadlineAt),
                decision = \(decision.state.rawValue), decision_reason = \(decision.reason?.rawValue),
                decided_at = \(decision.at), counts_on = \(order.countsOnText), status = \(order.status.rawValue),
                action_since = \(order.actionSince), event_sequence = \(order.eventSequence),
                expiry_told = \(order.isExpiryTold ? 1 : 0), announced = \(order.announced),
                version = \(order.version), updated_at = \(order.updatedAt)\(answered)\(clock)
            WHERE id = \(order.id)
            """
        )
    }
}

extension Order {
    /// The reference, as long as nobody else may use it; one that was given up stays so, for another order may have it.
    fileprivate var liveReference: String? { status.freesReference ? nil : reference }

    /// The positions of the payments that the decision counts on.
    fileprivate var countsOnText: String {
        payments.indices.filter { decision.countsOn.contains(payments[$0].id) }.map(String.init).joined(separator: ",")
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
                OrderDocuments.text(payment.allocation).sqlValue,
                OrderDocuments.moved(payment.allocation).sqlValue, payment.state.rawValue.sqlValue,
                payment.authorized.sqlValue, payment.captured.sqlValue, payment.refundedAtMost.sqlValue,
                OrderDocuments.text(payment.alternatives).sqlValue, payment.reroute.rawValue.sqlValue,
                payment.disputeLiability.rawValue.sqlValue,
                AttemptDocuments.text(payment.attempts, of: order.id).sqlValue, payment.directAttempts.sqlValue,
            ]
        }
        try session.run(
            """
            INSERT INTO payment (id, order_id, position, marketplace, merchant, external_identifier, amount, reference,
                metadata, allocation, allocation_moved, status, authorized, captured, refunded, alternatives, reroute,
                dispute_liability, attempts, direct_attempts)
            VALUES \(rows: rows)
            """
        )
    }

    static func update(_ order: Order, from previous: Order, in session: any Session) throws(SQLError) {
        let changed = zip(order.payments, previous.payments).filter(isChanged).map(\.0)
        guard !changed.isEmpty else { return }
        let integer: SQL = "\(unsafeText: session.dialect.integerType)"
        let rows: [[SQLValue]] = changed.map { payment in
            [
                payment.id.sqlValue, payment.state.rawValue.sqlValue, OrderDocuments.text(payment.allocation).sqlValue,
                OrderDocuments.moved(payment.allocation).sqlValue,
                OrderDocuments.text(payment.alternatives).sqlValue,
                AttemptDocuments.text(payment.attempts, of: order.id).sqlValue, payment.directAttempts.sqlValue,
                payment.authorized.sqlValue, payment.captured.sqlValue,
                payment.refundedAtMost.sqlValue, payment.announced.sqlValue, payment.canceledAt.sqlValue,
            ]
        }
        try session.run(
            """
            WITH changed (id, status, allocation, allocation_moved, alternatives, attempts, direct_attempts, authorized,
                captured, refunded, announced, canceled_at) AS (VALUES \(rows: rows))
            UPDATE payment SET status = changed.status, allocation = changed.allocation,
                allocation_moved = changed.allocation_moved, alternatives = changed.alternatives,
                attempts = changed.attempts, direct_attempts = changed.direct_attempts, authorized = CAST(changed.authorized AS \(integer)),
                captured = CAST(changed.captured AS \(integer)), refunded = CAST(changed.refunded AS \(integer)),
                announced = CAST(changed.announced AS \(integer)),
                canceled_at = CAST(changed.canceled_at AS \(integer))
            FROM changed WHERE payment.order_id = \(order.id) AND payment.id = changed.id
            """
        )
    }

    private static func isChanged(_ payment: Payment, from before: Payment) -> Bool {
        payment.attempts != before.attempts || payment.allocation != before.allocation
            || payment.alternatives != before.alternatives || payment.announced != before.announced
            || payment.canceledAt != before.canceledAt
    }
}

extension Payment {
    /// What is given back, as far as the column takes it: a capture that failed after its refund leaves more given
    /// back than captured, which the operations tell.
    fileprivate var refundedAtMost: Int64 { min(refunded, captured) }

    /// The attempts that the PSP settles with the merchant itself, by which lines of its files are told from ours; nil for
    /// none.
    fileprivate var directAttempts: String? {
        let direct = attempts.filter { $0.route.settlesTo == .merchant }
        return direct.isEmpty ? nil : direct.map(\.id.text).joined(separator: " ")
    }
}
