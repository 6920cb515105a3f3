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

/// Callbacks as they are written down, each for the endpoint of whom it is for.
package enum Outbox {
    /// Writes callbacks down, due at once; nothing for those who have no endpoint.
    ///
    /// A disabled endpoint keeps what is for it.
    ///
    /// - Throws: `SQLError`; much of it surfaces with the commit.
    package static func insert(_ callbacks: [NewCallback], in session: any Session) throws(SQLError) {
        var rest = callbacks[...]
        while !rest.isEmpty {
            let selects = rest.prefix(rowLimit).map { select($0, in: session) }
            rest = rest.dropFirst(rowLimit)
            let all = selects.dropFirst().reduce(selects[0]) { "\($0) UNION ALL \($1)" }
            try session.run(
                """
                INSERT INTO callback (id, endpoint_id, marketplace, merchant, order_id, payment_id, type, sequence,
                    payload, state, attempts, due_at, created_at)
                \(all)
                """
            )
        }
    }

    /// The endpoints that are told of an order's steps: the marketplace's own and those of its merchants.
    ///
    /// Each has one or none, and none is ever deleted.
    package struct Endpoints: Hashable, Sendable {
        private let ids: [String: String]

        init(_ rows: [Row]) throws(SQLError) {
            var ids: [String: String] = [:]
            for row in rows { ids[try row.text("merchant")] = try row.text("id") }
            self.ids = ids
        }

        /// Whether somebody is told; nil asks for the marketplace.
        package func contains(_ merchant: MerchantID?) -> Bool { ids[merchant?.text ?? ""] != nil }

        fileprivate subscript(_ callback: NewCallback) -> String? { ids[callback.merchant?.text ?? ""] }

        static func query(of order: OrderID) -> SQL {
            """
            SELECT id, merchant FROM callback_endpoint
            WHERE marketplace = (SELECT marketplace FROM orders WHERE id = \(order))
                AND merchant IN (SELECT '' UNION ALL SELECT merchant FROM payment WHERE order_id = \(order))
            """
        }
    }

    /// Writes callbacks down, due at once, for endpoints that were read in the same transaction; nothing for others.
    ///
    /// - Throws: `SQLError`; much of it surfaces with the commit.
    package static func insert(
        _ callbacks: [NewCallback],
        for endpoints: Endpoints,
        in session: any Session
    ) throws(SQLError) {
        let rows: [[SQLValue]] = callbacks.compactMap { callback in
            guard let endpoint = endpoints[callback] else { return nil }
            return [
                callback.id.sqlValue, endpoint.sqlValue, callback.marketplace.sqlValue,
                (callback.merchant?.text ?? "").sqlValue, callback.order.sqlValue, callback.payment.sqlValue,
                callback.type.sqlValue, callback.sequence.sqlValue, callback.payload.sqlValue, "waiting".sqlValue,
                0.sqlValue, callback.at.sqlValue, callback.at.sqlValue,
            ]
        }
        try BulkInsert.run(
            rows,
            """
            INSERT INTO callback (id, endpoint_id, marketplace, merchant, order_id, payment_id, type, sequence, payload,
                state, attempts, due_at, created_at)
            """,
            in: session
        )
    }

    /// How many callbacks one statement writes; SQLite joins no more than 500 queries into one.
    private static let rowLimit = 100

    /// A callback as a row for each endpoint that it is for: one or none.
    private static func select(_ callback: NewCallback, in session: any Session) -> SQL {
        let integer = session.dialect.integerType
        let moment: SQL = "CAST(\(callback.at) AS \(unsafeText: integer))"
        let sequence: SQL = "CAST(\(callback.sequence) AS \(unsafeText: integer))"
        return """
            SELECT CAST(\(callback.id) AS TEXT), id, marketplace, merchant, CAST(\(callback.order) AS TEXT),
                CAST(\(callback.payment) AS TEXT), CAST(\(callback.type) AS TEXT), \(sequence),
                CAST(\(callback.payload) AS TEXT), 'waiting', 0, \(moment), \(moment)
            FROM callback_endpoint
            WHERE marketplace = \(callback.marketplace) AND merchant = \(callback.merchant?.text ?? "")
            """
    }
}

/// A callback as it is written down, in the transaction whose state it tells.
package struct NewCallback: Hashable, Sendable {
    /// Its identifier, which every try to deliver it carries.
    package let id: CallbackID
    /// The marketplace.
    package let marketplace: String
    /// Whose endpoint it is for; nil for the marketplace's own.
    package let merchant: MerchantID?
    /// The order it is about, if it is about one.
    package let order: OrderID?
    /// The payment it is about, if it is about one.
    package let payment: PaymentID?
    /// What it tells, for example `payment.captured`.
    package let type: String
    /// Its number among what the same endpoint is told of the same subject, from 1 without gaps.
    ///
    /// The subject is an order for the marketplace, a payment for its merchant, and for both of them all payouts of a
    /// merchant in a currency.
    package let sequence: Int64
    /// The body, as it is signed and sent.
    package let payload: String
    /// When it was written down.
    package let at: Timestamp

    /// Makes a callback.
    package init(
        id: CallbackID,
        marketplace: String,
        merchant: MerchantID?,
        order: OrderID?,
        payment: PaymentID?,
        type: String,
        sequence: Int64,
        payload: String,
        at: Timestamp
    ) {
        self.id = id
        self.marketplace = marketplace
        self.merchant = merchant
        self.order = order
        self.payment = payment
        self.type = type
        self.sequence = sequence
        self.payload = payload
        self.at = at
    }
}
