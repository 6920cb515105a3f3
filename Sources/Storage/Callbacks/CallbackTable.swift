package import Domain
package import SQL

/// Callbacks for those who look: what was told, to whom, and whether it arrived.
package enum CallbackTable {
    /// What to list or to replay; nil means anything.
    package struct Filter: Hashable, Sendable {
        /// The marketplace.
        package var marketplace: String?
        /// The endpoint.
        package var endpoint: EndpointID?
        /// The order.
        package var order: OrderID?
        /// Where a callback stands.
        package var state: StoredCallback.State?
        /// What it tells, for example `payment.captured`.
        package var type: String?
        /// The first moment of writing it down.
        package var from: Timestamp?
        /// The first moment that is too late.
        package var until: Timestamp?
        /// The payment.
        package var payment: PaymentID?
        /// Only callbacks before this one, for the next page.
        package var before: CallbackID?

        /// A filter that lets everything of a marketplace through.
        package init(marketplace: String?) { self.marketplace = marketplace }
    }

    /// The callback with that name.
    package static func find(_ id: CallbackID, in session: any Session) throws(SQLError) -> StoredCallback? {
        try read(session.rows("SELECT * FROM callback WHERE id = \(id)")).first
    }

    /// The callbacks that pass the filter, newest first, at most `limit`.
    package static func list(
        _ filter: Filter,
        limit: Int,
        in session: any Session
    ) throws(SQLError) -> [StoredCallback] {
        try read(
            session.rows("SELECT * FROM callback WHERE \(filter.condition) ORDER BY id DESC LIMIT \(limit)")
        )
    }

    /// A page of the callbacks that pass the filter, newest first.
    ///
    /// Reads a bounded number of rows: the page may be short, or even empty, though there is more.
    ///
    /// - Parameters:
    ///   - filter: what to look for.
    ///   - limit: how many at most.
    ///   - session: the transaction.
    /// - Returns: the callbacks, and the one behind which to go on; nil if there is nothing behind.
    /// - Throws: `SQLError`.
    package static func page(
        _ filter: Filter,
        limit: Int,
        in session: any Session
    ) throws(SQLError) -> (callbacks: [StoredCallback], next: CallbackID?) {
        var indexed: [SQL] = filter.marketplace.map { ["marketplace = \($0)"] } ?? []
        if let order = filter.order { indexed.append("order_id = \(order)") }
        let scan = BoundedScan(
            source: """
                SELECT id, endpoint_id, marketplace, order_id, payment_id, type, state, created_at FROM callback
                WHERE \(SQL.all(indexed))
                """,
            columns: "id",
            condition: filter.condition,
            order: "id DESC",
            place: { row throws(SQLError) in "id < \(try row.text("id"))" }
        )
        let found = try scan.page(limit: limit, from: filter.before.map { "id < \($0)" }, in: session)
        let ids = try found.rows.map { row throws(SQLError) in try row.value("id") }
        let callbacks = try read(session.rows("SELECT * FROM callback WHERE id IN (\(list: ids)) ORDER BY id DESC"))
        return (callbacks, try found.last.map { row throws(SQLError) in try row.identifier("id") })
    }

    /// Lets callbacks be delivered again, under the same identifiers, as if they had just been written down.
    ///
    /// - Parameters:
    ///   - filter: which.
    ///   - after: the last one replayed before, to go on behind it.
    ///   - limit: how many at once.
    ///   - now: when they become due.
    ///   - session: the transaction.
    /// - Returns: those that were replayed, oldest first; fewer than `limit` if there are no more.
    /// - Throws: `SQLError`.
    package static func replay(
        _ filter: Filter,
        after: CallbackID? = nil,
        limit: Int,
        at now: Timestamp,
        in session: any Session
    ) throws(SQLError) -> [CallbackID] {
        let ids = try next(filter, after: after, limit: limit, in: session)
        try replay(ids, at: now, in: session)
        return ids
    }

    /// The names of the callbacks that pass the filter behind `after`, oldest first, at most `limit`.
    package static func next(
        _ filter: Filter,
        after: CallbackID?,
        limit: Int,
        in session: any Session
    ) throws(SQLError) -> [CallbackID] {
        let rest: SQL = after.map { "AND id > \($0)" } ?? ""
        return try session.rows(
            "SELECT id FROM callback WHERE \(filter.condition) \(rest) ORDER BY id LIMIT \(limit)"
        ).map { row throws(SQLError) in try row.identifier("id") }
    }

    /// Lets the callbacks with these names be delivered again.
    package static func replay(
        _ ids: [CallbackID],
        at now: Timestamp,
        in session: any Session
    ) throws(SQLError) {
        guard !ids.isEmpty else { return }
        try session.run(
            """
            UPDATE callback SET state = 'waiting', attempts = 0, due_at = \(now), settled_at = NULL
            WHERE id IN (\(list: ids.map(\.sqlValue)))
            """
        )
    }

    static func read(_ rows: [Row]) throws(SQLError) -> [StoredCallback] {
        try rows.map { row throws(SQLError) in
            StoredCallback(
                content: NewCallback(
                    id: try row.identifier("id"),
                    marketplace: try row.text("marketplace"),
                    merchant: try row.text("merchant") == "" ? nil : try row.identifier("merchant"),
                    order: try row.optionalIdentifier("order_id"),
                    payment: try row.optionalIdentifier("payment_id"),
                    type: try row.text("type"),
                    sequence: try row.integer("sequence"),
                    payload: try row.text("payload"),
                    at: try row.time("created_at")
                ),
                endpoint: try row.identifier("endpoint_id"),
                state: try row.word("state"),
                attempts: try row.integer("attempts"),
                dueAt: try row.optionalTime("due_at"),
                settledAt: try row.optionalTime("settled_at"),
                lastStatus: try row.optionalInteger("last_status"),
                lastError: try row.optionalText("last_error")
            )
        }
    }
}

extension CallbackTable.Filter {
    fileprivate var condition: SQL {
        var conditions: [SQL] = ["1 = 1"]
        if let marketplace { conditions.append("marketplace = \(marketplace)") }
        if let endpoint { conditions.append("endpoint_id = \(endpoint)") }
        if let order { conditions.append("order_id = \(order)") }
        if let state { conditions.append("state = \(state.rawValue)") }
        if let type { conditions.append("type = \(type)") }
        if let from { conditions.append("created_at >= \(from)") }
        if let until { conditions.append("created_at < \(until)") }
        if let payment { conditions.append("payment_id = \(payment)") }
        return conditions.dropFirst().reduce(conditions[0]) { "\($0) AND \($1)" }
    }
}

/// A callback as it is kept.
package struct StoredCallback: Hashable, Sendable {
    /// Where a callback stands.
    package enum State: String, Sendable, CaseIterable {
        /// It is to be delivered, now or later.
        case waiting
        /// Its endpoint has taken it.
        case delivered
        /// It was given up: a dead letter, until somebody replays it.
        case dead
    }

    /// What was written down in the transaction whose state it tells.
    package let content: NewCallback
    /// The endpoint it is for.
    package let endpoint: EndpointID
    /// Where it stands.
    package let state: State
    /// How many times it was tried in vain since it was written down or replayed.
    package let attempts: Int64
    /// When it is tried next; nil once it is settled.
    package let dueAt: Timestamp?
    /// When it was delivered or given up.
    package let settledAt: Timestamp?
    /// The HTTP status of the last reply.
    package let lastStatus: Int64?
    /// Why the last try failed.
    package let lastError: String?

    /// Its identifier.
    package var id: CallbackID { content.id }
}
