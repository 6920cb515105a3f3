package import Domain
package import SQL

/// What is due: orders of which an operation wants to be taken in hand or that want to look at the clock, and webhooks that
/// want to be told.
///
/// Each is picked by one instance: picking holds the row back for a while, and locks it, passing over rows that others
/// have locked. Whoever picked it and dies leaves it to the next one when that while is over. A batch has as much room
/// for each PSP account, or for each marketplace where there is none, so that the backlog of one fills no other's room.
package enum WorkQueue {
    /// An order that was picked.
    package struct DueOrder: Hashable, Sendable {
        /// The order.
        package let id: OrderID
        /// When it was due, by which ``WorkTable/correct(_:of:over:in:)`` knows what was picked.
        package let at: Timestamp
    }

    /// What an instance picked.
    package struct Batch: Hashable, Sendable {
        /// Orders, those of a PSP account behind each other.
        package var orders: [DueOrder] = []
        /// Webhooks.
        package var webhooks: [WebhookID] = []
        /// Whether anybody's room was full, so that there may be more.
        package var isFull = false

        /// A batch of nothing.
        package init() {}
    }

    /// Who may have something due: PSP accounts, and marketplaces for orders that look at the clock.
    package struct Shares: Hashable, Sendable {
        fileprivate let orders: [String]
        fileprivate let webhooks: [String]

        /// Whether nobody has anything due.
        package var isEmpty: Bool { orders.isEmpty && webhooks.isEmpty }
    }

    /// A table whose rows fall due, with a queue for each owner of such rows.
    private struct Queue {
        let table: SQL
        let key: SQL
        let columns: SQL
        let due: SQL
        let share: SQL

        static let orders = Queue(
            table: "work",
            key: "order_id",
            columns: "order_id AS id, at",
            due: "at",
            share: "share"
        )
        static let webhooks = Queue(
            table: "psp_webhook",
            key: "id",
            columns: "id",
            due: "due_at",
            share: "(marketplace || '/' || psp_account)"
        )

        /// When a row is offered, as the indexes have it: once it is due, and not held back any more.
        var time: SQL { "(CASE WHEN held_until > \(due) THEN held_until ELSE \(due) END)" }
    }

    /// Who has something due at `now`, longest due first, at most `limit` in each queue.
    package static func shares(at now: Timestamp, limit: Int, in session: any Session) throws(SQLError) -> Shares {
        func shares(_ queue: Queue) -> SQL { Self.shares(of: queue, at: now, limit: limit) }
        let (orders, webhooks) = try session.rows(shares(.orders), shares(.webhooks))
        func names(_ rows: [Row]) throws(SQLError) -> [String] {
            try rows.map { row throws(SQLError) in try row.text("name") }
        }
        return Shares(orders: try names(orders), webhooks: try names(webhooks))
    }

    /// Picks what is due at `now`, and holds it back until `until`, so that no other instance picks it before.
    ///
    /// - Parameters:
    ///   - shares: who may have something due.
    ///   - now: the time.
    ///   - until: when what was picked, and neither done nor failed, is offered again.
    ///   - limit: how many of each kind at most, beyond one for each share.
    ///   - session: the transaction.
    /// - Returns: what was picked.
    /// - Throws: `SQLError`.
    package static func reserve(
        _ shares: Shares,
        dueAt now: Timestamp,
        until: Timestamp,
        limit: Int,
        in session: any Session
    ) throws(SQLError) -> Batch {
        let queues: [(queue: Queue, names: [String])] = [
            (.orders, shares.orders), (.webhooks, shares.webhooks),
        ]
        let rooms = queues.map { max(1, limit / max(1, $0.names.count)) }
        let statements = zip(queues, rooms).flatMap { entry, room in
            entry.names.map { pick(from: entry.queue, of: $0, at: now, limit: room, session.dialect) }
        }
        guard !statements.isEmpty else { return Batch() }
        var answers = try session.rows(statements)[...]
        var batch = Batch()
        var picked: [[Row]] = []
        for (entry, room) in zip(queues, rooms) {
            let found = answers.prefix(entry.names.count)
            answers = answers.dropFirst(entry.names.count)
            batch.isFull = batch.isFull || found.contains { $0.count == room }
            picked.append(Array(found.joined()))
            let ids = try picked[picked.count - 1].map { row throws(SQLError) in try row.value("id") }
            try hold(ids, of: entry.queue, until: until, in: session)
        }
        for row in picked[0] {
            let id = try row.text("id")
            guard let order = OrderID(id) else {
                try StepFailures.record(nameless: id, at: now, in: session)
                continue
            }
            batch.orders.append(DueOrder(id: order, at: try row.time("at")))
        }
        batch.webhooks = try picked[1].map { row throws(SQLError) in WebhookID(try row.text("id")) }.compactMap(\.self)
        return batch
    }

    /// How much is due in a queue, and since when.
    package struct Backlog: Hashable, Sendable {
        /// What of one owner is due is not counted beyond this.
        package static let countLimit: Int64 = 10_000

        /// How much.
        package var count: Int64 = 0
        /// Since when the first of it; nil if nothing is due.
        package var oldest: Timestamp?
    }

    /// How much is due at `now`: of each owner at most ``Backlog/countLimit``, which the indexes answer.
    ///
    /// - Throws: `SQLError`.
    package static func backlogs(
        at now: Timestamp,
        in session: any Session
    ) throws(SQLError) -> (orders: Backlog, webhooks: Backlog) {
        let integer = session.dialect.integerType
        func query(_ queue: Queue) -> SQL {
            let due: SQL = """
                FROM \(queue.table)
                WHERE \(queue.due) IS NOT NULL AND \(queue.share) = busy.name AND \(queue.time) <= \(now)
                """
            return """
                \(busy(queue))
                SELECT (SELECT CAST(COUNT(*) AS \(unsafeText: integer))
                        FROM (SELECT 1 AS one \(due) LIMIT \(Backlog.countLimit)) AS counted) AS number,
                    (SELECT \(queue.time) \(due) ORDER BY \(queue.time) LIMIT 1) AS oldest
                FROM busy WHERE name IS NOT NULL
                """
        }
        func backlog(_ rows: [Row]) throws(SQLError) -> Backlog {
            var backlog = Backlog()
            for row in rows {
                backlog.count += try row.integer("number")
                backlog.oldest = [backlog.oldest, try row.optionalTime("oldest")].compactMap(\.self).min()
            }
            return backlog
        }
        let (orders, webhooks) = try session.rows(query(.orders), query(.webhooks))
        return (try backlog(orders), try backlog(webhooks))
    }

    /// Orders of which somebody was told that a hold is about to lapse, and that want to be looked at before `end`: of each
    /// owner as many as the index leads to, so that no plan reads all orders.
    ///
    /// - Throws: `SQLError`.
    static func expiring(before end: Timestamp, limit: Int64, in session: any Session) throws(SQLError) -> [OrderID] {
        let queue = Queue.orders
        let shares = try session.rows("\(busy(queue)) SELECT name FROM busy WHERE name IS NOT NULL")
        let queries = try shares.map { row throws(SQLError) -> SQL in
            """
            SELECT soon.order_id AS id FROM (
                SELECT order_id FROM work
                WHERE at IS NOT NULL AND share = \(try row.text("name")) AND \(queue.time) <= \(end)
                ORDER BY \(queue.time) LIMIT \(8 * limit)
            ) AS soon
            WHERE (SELECT o.expiry_told FROM orders AS o WHERE o.id = soon.order_id) = 1 LIMIT \(limit)
            """
        }
        guard !queries.isEmpty else { return [] }
        let rows = try session.rows(queries).joined().prefix(Int(limit))
        return try rows.map { row throws(SQLError) in OrderID(try row.text("id")) }.compactMap(\.self)
    }

    /// The statement that finds who has something due in a queue, longest due first.
    ///
    /// Goes from one to the next through the index, so that it costs two probes for each, however much waits there.
    private static func shares(of queue: Queue, at now: Timestamp, limit: Int) -> SQL {
        """
        \(busy(queue))
        SELECT name FROM (
            SELECT name, (SELECT \(queue.time) FROM \(queue.table)
                WHERE \(queue.due) IS NOT NULL AND \(queue.share) = busy.name ORDER BY \(queue.time) LIMIT 1) AS oldest
            FROM busy WHERE name IS NOT NULL
        ) AS shares
        WHERE oldest <= \(now) ORDER BY oldest, name LIMIT \(limit)
        """
    }

    /// The table of those who have anything that will be due in a queue.
    private static func busy(_ queue: Queue) -> SQL {
        """
        WITH RECURSIVE busy (name) AS (
            SELECT (SELECT \(queue.share) FROM \(queue.table) WHERE \(queue.due) IS NOT NULL
                ORDER BY \(queue.share) LIMIT 1)
            UNION ALL
            SELECT (SELECT \(queue.share) FROM \(queue.table)
                WHERE \(queue.due) IS NOT NULL AND \(queue.share) > busy.name ORDER BY \(queue.share) LIMIT 1)
            FROM busy WHERE busy.name IS NOT NULL
        )
        """
    }

    /// The statement that picks what is due of one of a queue's owners.
    package static func pick(ordersOf share: String, at now: Timestamp, limit: Int, _ dialect: Dialect) -> SQL {
        pick(from: .orders, of: share, at: now, limit: limit, dialect)
    }

    private static func pick(
        from queue: Queue,
        of share: String,
        at now: Timestamp,
        limit: Int,
        _ dialect: Dialect
    ) -> SQL {
        """
        SELECT \(queue.columns) FROM \(queue.table)
        WHERE \(queue.due) IS NOT NULL AND \(queue.share) = \(share) AND \(queue.time) <= \(now)
        ORDER BY \(queue.time) LIMIT \(limit) \(unsafeText: dialect.lockSkippingLocked)
        """
    }

    private static func hold(
        _ ids: [SQLValue],
        of queue: Queue,
        until: Timestamp,
        in session: any Session
    ) throws(SQLError) {
        guard !ids.isEmpty else { return }
        try session.run("UPDATE \(queue.table) SET held_until = \(until) WHERE \(queue.key) IN (\(list: ids))")
    }
}
