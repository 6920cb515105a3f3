package import Domain
package import SQL

/// The work of delivering: which endpoint is due, who has it in hand, and what became of its callbacks.
///
/// An endpoint is leased as a whole, by compare-and-set, so that no two instances have a callback in hand at once, unless
/// somebody enables the endpoint meanwhile.
package enum CallbackQueue {
    /// An endpoint in hand, with what is due there.
    package struct Claim: Hashable, Sendable {
        /// The endpoint.
        package let endpoint: CallbackEndpoint
        /// What is due, longest due first.
        package let callbacks: [StoredCallback]
        /// Who has it in hand: a name that no other claim has.
        package let holder: String
        /// Until when.
        package let until: Timestamp
        /// The traces that the callbacks' orders were placed in, as `traceparent` writes them, if they were asked for.
        package let traceParents: [OrderID: String]
    }

    /// Endpoints with something due, least recently tried first.
    ///
    /// Goes from endpoint to endpoint through the index, so that it costs a probe for each endpoint that anything
    /// waits for, however much that is.
    ///
    /// - Parameters:
    ///   - now: the time.
    ///   - healthy: how many at most of those whose last round brought something home.
    ///   - failing: how many at most of the others.
    ///   - session: the transaction.
    /// - Returns: both kinds.
    /// - Throws: `SQLError`.
    package static func due(
        at now: Timestamp,
        healthy: Int,
        failing: Int,
        in session: any Session
    ) throws(SQLError) -> (healthy: [EndpointID], failing: [EndpointID]) {
        let (healthyRows, failingRows) = try session.rows(
            due(at: now, "e.failures = 0", limit: healthy),
            due(at: now, "e.failures > 0", limit: failing)
        )
        func ids(_ rows: [Row]) throws(SQLError) -> [EndpointID] {
            try rows.map { row throws(SQLError) in try row.identifier("id") }
        }
        return (try ids(healthyRows), try ids(failingRows))
    }

    /// The statement that finds endpoints with something due which fulfil a condition.
    package static func due(at now: Timestamp, _ condition: SQL, limit: Int) -> SQL {
        """
        WITH RECURSIVE busy (endpoint_id) AS (
            SELECT (SELECT endpoint_id FROM callback WHERE due_at IS NOT NULL ORDER BY endpoint_id LIMIT 1)
            UNION ALL
            SELECT (SELECT c.endpoint_id FROM callback c
                WHERE c.due_at IS NOT NULL AND c.endpoint_id > busy.endpoint_id ORDER BY c.endpoint_id LIMIT 1)
            FROM busy WHERE busy.endpoint_id IS NOT NULL
        )
        SELECT e.id FROM busy JOIN callback_endpoint e ON e.id = busy.endpoint_id
        WHERE e.state = 'enabled' AND \(condition) AND COALESCE(e.retry_at, 0) <= \(now)
            AND COALESCE(e.leased_until, 0) <= \(now)
            AND EXISTS (SELECT 1 FROM callback c WHERE c.endpoint_id = e.id AND c.due_at <= \(now))
        ORDER BY COALESCE(e.last_tried_at, 0), e.id LIMIT \(limit)
        """
    }

    /// Takes an endpoint in hand, with at most `limit` of what is due there, one alone if its last round failed.
    ///
    /// - Parameters:
    ///   - id: the endpoint.
    ///   - holder: a name that no other claim has.
    ///   - now: the time.
    ///   - until: when the claim ends by itself.
    ///   - limit: how many callbacks at most.
    ///   - isTraced: whether to read the traces of the callbacks' orders, too.
    ///   - session: the transaction.
    /// - Returns: nil if somebody else has it in hand, or nothing may be sent there now.
    /// - Throws: `SQLError`.
    package static func claim(
        _ id: EndpointID,
        as holder: String,
        at now: Timestamp,
        until: Timestamp,
        limit: Int,
        isTraced: Bool = false,
        in session: any Session
    ) throws(SQLError) -> Claim? {
        let isTaken = try session.change(
            """
            UPDATE callback_endpoint SET leased_by = \(holder), leased_until = \(until)
            WHERE id = \(id) AND state = 'enabled' AND COALESCE(retry_at, 0) <= \(now)
                AND COALESCE(leased_until, 0) <= \(now)
            """
        )
        guard isTaken == 1, let endpoint = try CallbackEndpointTable.find(id, in: session) else { return nil }
        let count = endpoint.health.failures == 0 ? limit : 1
        let rows = try session.rows(
            """
            SELECT * FROM callback WHERE endpoint_id = \(id) AND due_at <= \(now)
            ORDER BY due_at, id LIMIT \(count)
            """
        )
        let callbacks = try CallbackTable.read(rows)
        let orders = isTraced ? Set(callbacks.compactMap(\.content.order)).sorted() : []
        return Claim(
            endpoint: endpoint,
            callbacks: callbacks,
            holder: holder,
            until: until,
            traceParents: try traceParents(of: orders, in: session)
        )
    }

    /// The traces that orders were placed in, as `traceparent` writes them; nothing of orders that were not traced.
    package static func traceParents(of ids: [OrderID], in session: any Session) throws(SQLError) -> [OrderID: String] {
        guard !ids.isEmpty else { return [:] }
        let rows = try session.rows(
            """
            SELECT id, trace_parent FROM orders WHERE id IN (\(list: ids.map(\.sqlValue)))
                AND trace_parent IS NOT NULL
            """
        )
        var traces: [OrderID: String] = [:]
        for row in rows { traces[try row.identifier("id")] = try row.text("trace_parent") }
        return traces
    }

    /// Lets go of an endpoint, with how it is now; false if the claim had ended and somebody else may have it in hand.
    package static func release(
        _ claim: Claim,
        _ health: CallbackEndpoint.Health,
        in session: any Session
    ) throws(SQLError) -> Bool {
        try session.change(
            """
            UPDATE callback_endpoint SET leased_by = NULL, leased_until = NULL, failures = \(health.failures),
                failing_since = \(health.failingSince), retry_at = \(health.retryAt),
                last_status = \(health.lastStatus), last_error = \(health.lastError),
                last_tried_at = \(health.lastTriedAt), last_delivered_at = \(health.lastDeliveredAt)
            WHERE id = \(claim.endpoint.id) AND leased_by = \(claim.holder)
            """
        ) == 1
    }

    /// Ends every claim: for the one owner of an embedded database, who knows that nobody has anything in hand.
    package static func releaseAll(in session: any Session) throws(SQLError) {
        try session.run(
            "UPDATE callback_endpoint SET leased_by = NULL, leased_until = NULL WHERE leased_by IS NOT NULL"
        )
    }

    /// The name of a claim of an instance: which of its claims it is, behind a slash.
    package static func holder(_ instance: String, claim number: UInt64) -> String { "\(instance)/\(number)" }

    /// Ends the claims of an instance that has ended, or is taken for dead: a callback may come twice.
    static func release(of instance: String, in session: any Session) throws(SQLError) {
        // Text is compared by bytes, and the zero is what comes behind the slash.
        let (first, end) = (instance + "/", instance + "0")
        try session.run(
            """
            UPDATE callback_endpoint SET leased_by = NULL, leased_until = NULL
            WHERE leased_by >= \(first) AND leased_by < \(end)
            """
        )
    }
}

/// Writing down what became of callbacks, and giving them up.
extension CallbackQueue {
    /// Writes down what became of callbacks; of one that was settled meanwhile, nothing.
    package static func record(
        _ reports: [DeliveryReport],
        at now: Timestamp,
        in session: any Session
    ) throws(SQLError) {
        for report in reports {
            let (state, tries, dueAt): (StoredCallback.State, Int64, SQL) =
                switch report.outcome {
                case .delivered: (.delivered, 0, "NULL")
                case .dead: (.dead, 1, "NULL")
                case .again(let time): (.waiting, 1, "\(time)")
                case .untouched: (.waiting, 0, "due_at")
                }
            let settledAt = state == .waiting ? nil : now
            try session.run(
                """
                UPDATE callback SET state = \(state.rawValue), attempts = attempts + \(tries), due_at = \(dueAt),
                    settled_at = \(settledAt), last_status = \(report.status), last_error = \(report.error)
                WHERE id = \(report.callback) AND state = 'waiting'
                """
            )
        }
    }

    /// Gives up what has been due at an endpoint since before `moment`, at most `limit` callbacks.
    ///
    /// - Returns: how many.
    /// - Throws: `SQLError`.
    package static func giveUp(
        at endpoint: EndpointID,
        dueBefore moment: Timestamp,
        limit: Int,
        at now: Timestamp,
        because error: String,
        in session: any Session
    ) throws(SQLError) -> Int {
        try session.change(
            """
            UPDATE callback SET state = 'dead', due_at = NULL, settled_at = \(now), last_error = \(error)
            WHERE id IN (
                SELECT id FROM callback WHERE endpoint_id = \(endpoint) AND due_at < \(moment)
                ORDER BY due_at, id LIMIT \(limit)
            ) AND state = 'waiting'
            """
        )
    }

    /// The endpoints that nothing is sent to and that have something due since before `moment`.
    package static func deserted(dueBefore moment: Timestamp, in session: any Session) throws(SQLError) -> [EndpointID]
    {
        try session.rows(
            """
            SELECT e.id FROM callback_endpoint e WHERE e.state = 'disabled'
                AND EXISTS (SELECT 1 FROM callback c WHERE c.endpoint_id = e.id AND c.due_at < \(moment))
            ORDER BY e.id
            """
        ).map { row throws(SQLError) in try row.identifier("id") }
    }
}

/// What became of one try to deliver a callback.
package struct DeliveryReport: Hashable, Sendable {
    /// Where that leaves the callback.
    package enum Outcome: Hashable, Sendable {
        /// It arrived.
        case delivered
        /// It is tried again then.
        case again(Timestamp)
        /// It is given up.
        case dead
        /// The try does not count: the callback is as due as before.
        case untouched
    }

    /// The callback.
    package let callback: CallbackID
    /// Where that leaves it.
    package let outcome: Outcome
    /// The HTTP status of the reply, if one came.
    package let status: Int64?
    /// Why it failed; nil if it did not.
    package let error: String?

    /// Makes a report.
    package init(_ callback: CallbackID, _ outcome: Outcome, status: Int64?, error: String?) {
        self.callback = callback
        self.outcome = outcome
        self.status = status
        self.error = error
    }
}
