package import Domain
package import SQL

/// Reads whole orders back.
package enum OrderReader {
    /// Locks an order's row until the transaction ends, and answers its version; nil if there is no such order.
    package static func lock(_ id: OrderID, in session: any Session) throws(SQLError) -> Int64? {
        try session.rows(
            "SELECT version FROM orders WHERE id = \(id) \(unsafeText: session.dialect.lock)"
        ).first?.integer("version")
    }

    /// Locks the rows of those orders that nobody has locked and that are still of the version given, until the transaction
    /// ends, and answers which these are.
    package static func lock(
        unchanged versions: [OrderID: Int64],
        in session: any Session
    ) throws(SQLError) -> Set<OrderID> {
        let rows = try session.rows(
            """
            SELECT id, version FROM orders WHERE id IN (\(list: versions.keys.sorted().map(\.sqlValue))) ORDER BY id
            \(unsafeText: session.dialect.lockSkippingLocked)
            """
        )
        var unchanged: Set<OrderID> = []
        for row in rows {
            let id: OrderID = try row.identifier("id")
            if try versions[id] == row.integer("version") { unchanged.insert(id) }
        }
        return unchanged
    }

    /// What a step has to know of an order besides the order.
    package struct Surroundings: Hashable, Sendable {
        /// The order's version.
        package let version: Int64
        /// Whether another instance waits for its steps.
        package let isAwaited: Bool
        /// Whether its latest step made the final answer to its checkout, which the next one has to keep.
        package let isAnswerUnkept: Bool
        /// When it wants to be looked at; nil if it is at rest.
        package let work: WorkTable.Stored?
        /// Who is told of its steps.
        package let endpoints: Outbox.Endpoints
        /// Its marketplace's clock.
        package let clock: MarketplaceClock
    }

    /// Locks an order's row like ``lock(_:in:)``, and reads in the same round trip what a step of `instance` has to know
    /// besides.
    ///
    /// The clock of a test marketplace is read without a lock, by a statement behind the one that locks: what that one reads
    /// beside the row may be older than the lock that it waited for. It takes a round trip of its own only where it is not
    /// known beforehand that the order is a test. An order that was about to take its step as the clock was moved is woken
    /// again (``TestClockTable``). A live marketplace's row is not read.
    package static func lockToStep(
        _ id: OrderID,
        by instance: String,
        at now: Timestamp,
        knowing known: Order? = nil,
        in session: any Session
    ) throws(SQLError) -> Surroundings? {
        let waiters = OrderWaiterTable.count(of: id, besides: instance, at: now)
        let lock: SQL = """
            SELECT version, (\(waiters)) AS waiters, marketplace, clock_ahead, answered
            FROM orders WHERE id = \(id) \(unsafeText: session.dialect.lock)
            """
        let test = known.flatMap { $0.clock.isLive ? nil : TestClockTable.named($0.marketplace) }
        let answers = try session.rows(
            [lock, WorkTable.query(of: id), Outbox.Endpoints.query(of: id)] + (test.map { [$0] } ?? [])
        )
        guard let order = answers[0].first else { return nil }
        var clock = try MarketplaceClock(order)
        if !clock.isLive {
            let rows = try test == nil ? session.rows(TestClockTable.named(order.text("marketplace"))) : answers[3]
            if let row = rows.first { clock = try MarketplaceClock(row) }
        }
        return Surroundings(
            version: try order.integer("version"),
            isAwaited: try order.integer("waiters") > 0,
            isAnswerUnkept: try order.integer("answered") == 1,
            work: try answers[1].first.map(WorkTable.Stored.init),
            endpoints: try Outbox.Endpoints(answers[2]),
            clock: clock
        )
    }

    /// Reads an order with all that belongs to it, in one round trip.
    package static func load(_ id: OrderID, in session: any Session) throws(SQLError) -> Order? {
        try load([id], in: session).first
    }

    /// Reads several orders in one round trip, in the order of `ids`; those that do not exist are left out.
    package static func load(_ ids: [OrderID], in session: any Session) throws(SQLError) -> [Order] {
        guard !ids.isEmpty else { return [] }
        let list = ids.map(\.sqlValue)
        let (orderRows, paymentRows, attentionRows, refundRows, disputeRows) =
            try session.rows(
                "SELECT * FROM orders WHERE id IN (\(list: list))",
                "SELECT * FROM payment WHERE order_id IN (\(list: list)) ORDER BY order_id, position",
                "SELECT * FROM attention WHERE order_id IN (\(list: list))",
                "SELECT * FROM refund WHERE order_id IN (\(list: list)) ORDER BY order_id, position",
                "SELECT * FROM dispute WHERE order_id IN (\(list: list)) ORDER BY payment_id, position"
            )
        let disputes = try grouped(disputeRows, by: "payment_id", DisputeRows.read)
        let payments = try grouped(paymentRows, by: "order_id") { row throws(SQLError) in
            try payment(row, disputes: disputes[try row.text("id")] ?? [])
        }
        let attention = try grouped(attentionRows, by: "order_id", Self.attention)
        let refunds = try grouped(refundRows, by: "order_id", RefundRows.read)
        var orders: [OrderID: Order] = [:]
        for row in orderRows {
            let id = try row.text("id")
            var order = try order(row, payments: payments[id] ?? [], attention: attention[id] ?? [])
            order.refunds = refunds[id] ?? []
            orders[order.id] = order
        }
        return ids.compactMap { orders[$0] }
    }

    /// Reads several orders in their order, and says of those that cannot be read why.
    package static func loadReadable(
        _ ids: [OrderID],
        in session: any Session
    ) throws(SQLError) -> (orders: [Order], unreadable: [OrderID: StepFailure]) {
        do {
            return (try load(ids, in: session), [:])
        } catch SQLError.unexpectedValue {
            var orders: [Order] = []
            var unreadable: [OrderID: StepFailure] = [:]
            for id in ids {
                do {
                    orders += try load([id], in: session)
                } catch SQLError.unexpectedValue(let column) {
                    unreadable[id] = StepFailure(unreadable: column)
                }
            }
            return (orders, unreadable)
        }
    }

    private static func grouped<Value>(
        _ rows: [Row],
        by column: String,
        _ read: (Row) throws(SQLError) -> Value
    ) throws(SQLError) -> [String: [Value]] {
        var groups: [String: [Value]] = [:]
        for row in rows { groups[try row.text(column), default: []].append(try read(row)) }
        return groups
    }

    private static func order(_ row: Row, payments: [Payment], attention: [Attention]) throws(SQLError) -> Order {
        guard !payments.isEmpty else { throw .unexpectedValue(column: "payment.order_id") }
        guard let currency = Currency(code: try row.text("currency")),
            let amount = try? Money(minorUnits: try row.integer("amount"), currency: currency)
        else { throw .unexpectedValue(column: "currency") }
        let terms = OrderTerms(
            policy: try OrderDocuments.policy(try row.text("policy")),
            capture: try row.word("capture"),
            onDeadline: try row.word("on_deadline"),
            onCaptureFailure: try row.word("on_capture_failure"),
            deadlineAt: try row.time("deadline_at"),
            decideBy: try row.time("decide_by"),
            returnURL: try row.optionalText("return_url"),
            wallet: try row.value("wallet") == .null ? nil : try row.word("wallet")
        )
        var order = Order(
            id: try row.identifier("id"),
            marketplace: try row.text("marketplace"),
            reference: try row.optionalText("reference"),
            amount: amount,
            metadata: try OrderDocuments.metadata(try row.text("metadata")),
            createdAt: try row.time("created_at"),
            terms: terms,
            payments: payments,
            clock: try MarketplaceClock(row)
        )
        let reason: Decision.Reason? =
            try row.value("decision_reason") == .null ? nil : try row.word("decision_reason")
        let countsOn = try row.text("counts_on").split(separator: ",").map { text throws(SQLError) -> PaymentID in
            guard let position = Int(text), payments.indices.contains(position) else {
                throw .unexpectedValue(column: "counts_on")
            }
            return payments[position].id
        }
        order.decision = Decision(
            state: try row.word("decision"),
            reason: reason,
            at: try row.optionalTime("decided_at"),
            countsOn: Set(countsOn)
        )
        order.attention = attention.sorted()
        order.actionSince = try row.optionalTime("action_since")
        order.isExpiryTold = try row.integer("expiry_told") == 1
        order.isAnswered = try row.integer("answered") > 0
        order.eventSequence = try row.integer("event_sequence")
        order.announced = try row.integer("announced")
        order.version = try row.integer("version")
        order.updatedAt = try row.time("updated_at")
        order.traceParent = try row.optionalText("trace_parent")
        if let type = try row.optionalText("wallet_order_type") {
            order.walletOrder = WalletOrderReference(
                type: type,
                webServiceURL: try row.text("wallet_web_service"),
                isOfferedToSheet: try row.integer("wallet_offered") == 1
            )
        }
        if let agreement: AgreementID = try row.optionalIdentifier("agreement") {
            order.agreement = AgreementUse(
                agreement,
                type: try row.word("agreement_type"),
                charge: try row.optionalWord("charge_reason")
            )
        }
        return order
    }

    private static func payment(_ row: Row, disputes: [Dispute]) throws(SQLError) -> Payment {
        let attempts = try AttemptDocuments.attempts(try row.text("attempts"), of: try row.identifier("order_id"))
        guard !attempts.isEmpty else { throw .unexpectedValue(column: "attempts") }
        var payment = Payment(
            id: try row.identifier("id"),
            merchant: try row.identifier("merchant"),
            externalIdentifier: try row.text("external_identifier"),
            amount: try row.integer("amount"),
            reference: try row.optionalText("reference"),
            metadata: try OrderDocuments.metadata(try row.text("metadata")),
            allocation: try OrderDocuments.allocation(row),
            attempts: attempts,
            alternatives: try OrderDocuments.routes(try row.text("alternatives")),
            reroute: try row.word("reroute")
        )
        payment.disputeLiability = try row.word("dispute_liability")
        payment.disputes = disputes
        payment.announced = try row.integer("announced")
        payment.canceledAt = try row.optionalTime("canceled_at")
        return payment
    }

    private static func attention(_ row: Row) throws(SQLError) -> Attention {
        Attention(
            payment: try row.identifier("payment_id"),
            operation: try row.identifier("operation_id"),
            reason: try row.word("reason"),
            amountAtRisk: try row.integer("amount_at_risk"),
            since: try row.time("since"),
            webhook: try row.optionalIdentifier("webhook_id")
        )
    }
}
