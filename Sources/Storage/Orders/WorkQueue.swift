package import Domain
package import SQL

/// What is due: operations that want to be taken in hand, orders that want to look at the clock, and webhooks that want
/// to be told.
///
/// Each is picked by one instance: picking holds the row back for a while, and locks it, passing over rows that others
/// have locked. Whoever picked it and dies leaves it to the next one when that while is over. A batch has as much room
/// for each PSP account, or for each marketplace where there is none, so that the backlog of one fills no other's room.
package enum WorkQueue {
    /// A due operation.
    package struct DueOperation: Hashable, Sendable {
        /// Its order.
        package let order: OrderID
        /// The operation.
        package let operation: OperationID
        /// What it asks of the PSP; nil if that cannot be read.
        package let kind: Operation.Kind?
        /// The marketplace it belongs to.
        package let marketplace: String
        /// The PSP account it goes to.
        package let pspAccount: String
    }

    /// What an instance picked.
    package struct Batch: Hashable, Sendable {
        /// Operations, those of an order behind each other.
        package var operations: [DueOperation] = []
        /// Orders that want to look at the clock.
        package var orders: [OrderID] = []
        /// Webhooks.
        package var webhooks: [WebhookID] = []
        /// Whether anybody's room was full, so that there may be more.
        package var isFull = false

        /// A batch of nothing.
        package init() {}
    }

    /// Who may have something due: PSP accounts, and marketplaces for orders.
    package struct Shares: Hashable, Sendable {
        fileprivate let operations: [String]
        fileprivate let orders: [String]
        fileprivate let webhooks: [String]

        /// Whether nobody has anything due.
        package var isEmpty: Bool { operations.isEmpty && orders.isEmpty && webhooks.isEmpty }
    }

    /// A table whose rows fall due, with a queue for each owner of such rows.
    private struct Queue {
        let table: SQL
        let columns: SQL
        let due: SQL
        let share: SQL

        static let operations = Queue(
            table: "operation",
            columns: "id, order_id, kind, marketplace, psp_account",
            due: "due_at",
            share: "(marketplace || '/' || COALESCE(psp_account, ''))"
        )
        static let orders = Queue(table: "orders", columns: "id", due: "wake_at", share: "marketplace")
        static let webhooks = Queue(
            table: "psp_webhook",
            columns: "id",
            due: "due_at",
            share: "(marketplace || '/' || psp_account)"
        )

        /// When a row is offered, as the indexes have it: once it is due, and not held back any more.
        var time: SQL { "(CASE WHEN held_until > \(due) THEN held_until ELSE \(due) END)" }
    }

    /// One order fills no more of a batch than this part of it; what else it has due waits behind what others have.
    private static let ordersPart = 16
    /// As many of a crowded order's operations are sent to the back of the queue at once.
    private static let backLimit = 1000

    /// Who has something due at `now`, longest due first, at most `limit` in each queue.
    package static func shares(at now: Timestamp, limit: Int, in session: any Session) throws(SQLError) -> Shares {
        func shares(_ queue: Queue) -> SQL { Self.shares(of: queue, at: now, limit: limit) }
        let (operations, orders, webhooks) = try session.rows(
            shares(.operations),
            shares(.orders),
            shares(.webhooks)
        )
        func names(_ rows: [Row]) throws(SQLError) -> [String] {
            try rows.map { row throws(SQLError) in try row.text("name") }
        }
        return Shares(
            operations: try names(operations),
            orders: try names(orders),
            webhooks: try names(webhooks)
        )
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
            (.operations, shares.operations), (.orders, shares.orders), (.webhooks, shares.webhooks),
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
        batch.operations = try operations(picked[0], at: now, part: max(1, limit / ordersPart), in: session)
        batch.orders = try picked[1].map { row throws(SQLError) in OrderID(try row.text("id")) }.compactMap(\.self)
        batch.webhooks = try picked[2].map { row throws(SQLError) in WebhookID(try row.text("id")) }.compactMap(\.self)
        return batch
    }

    /// Makes everything due that somebody had in hand or had picked, and answers how many operations that were.
    ///
    /// For the one owner of an embedded database, who knows that nobody has anything in hand. It reads no order, so that
    /// none which cannot be read keeps it from the others, and thousands keep nobody from serving; what has failed goes on
    /// waiting.
    package static func releaseAll(at now: Timestamp, in session: any Session) throws(SQLError) -> Int {
        try session.run(
            "UPDATE orders SET held_until = NULL WHERE wake_at IS NOT NULL AND held_until IS NOT NULL AND failures = 0"
        )
        try session.run("UPDATE psp_webhook SET held_until = NULL WHERE due_at IS NOT NULL AND held_until IS NOT NULL")
        try session.run(
            """
            UPDATE operation SET held_until = NULL
            WHERE due_at IS NOT NULL AND held_until IS NOT NULL AND failures = 0
                AND NOT EXISTS (SELECT 1 FROM orders WHERE orders.id = operation.order_id AND orders.failures > 0)
            """
        )
        return try session.change(
            "UPDATE operation SET due_at = \(now) WHERE due_at > \(now) AND leased_by IS NOT NULL"
        )
    }

    /// The final answer to an order's checkout, if one was made.
    package static func answer(to order: OrderID, in session: any Session) throws(SQLError) -> [UInt8]? {
        try session.rows("SELECT answer FROM orders WHERE id = \(order)").first?.optionalBytes("answer")
    }

    /// The statement that finds who has something due in a queue, longest due first.
    ///
    /// Goes from one to the next through the index, so that it costs two probes for each, however much waits there.
    private static func shares(of queue: Queue, at now: Timestamp, limit: Int) -> SQL {
        """
        WITH RECURSIVE busy (name) AS (
            SELECT (SELECT \(queue.share) FROM \(queue.table) WHERE \(queue.due) IS NOT NULL
                ORDER BY \(queue.share) LIMIT 1)
            UNION ALL
            SELECT (SELECT \(queue.share) FROM \(queue.table)
                WHERE \(queue.due) IS NOT NULL AND \(queue.share) > busy.name ORDER BY \(queue.share) LIMIT 1)
            FROM busy WHERE busy.name IS NOT NULL
        )
        SELECT name FROM (
            SELECT name, (SELECT \(queue.time) FROM \(queue.table)
                WHERE \(queue.due) IS NOT NULL AND \(queue.share) = busy.name ORDER BY \(queue.time) LIMIT 1) AS oldest
            FROM busy WHERE name IS NOT NULL
        ) AS shares
        WHERE oldest <= \(now) ORDER BY oldest, name LIMIT \(limit)
        """
    }

    /// The statement that picks what is due of one of a queue's owners.
    package static func pick(operationsOf share: String, at now: Timestamp, limit: Int, _ dialect: Dialect) -> SQL {
        pick(from: .operations, of: share, at: now, limit: limit, dialect)
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
        try session.run("UPDATE \(queue.table) SET held_until = \(until) WHERE id IN (\(list: ids))")
    }

    /// The picked operations, at most `part` of each order.
    ///
    /// What has no valid names cannot be carried on by anybody, which a person is told.
    private static func operations(
        _ rows: [Row],
        at now: Timestamp,
        part: Int,
        in session: any Session
    ) throws(SQLError) -> [DueOperation] {
        var byOrder: [OrderID: [DueOperation]] = [:]
        var order: [OrderID] = []
        var nameless: [SQLValue] = []
        for row in rows {
            guard let id = OrderID(try row.text("order_id")), let operation = OperationID(try row.text("id")) else {
                nameless.append(try row.value("id"))
                continue
            }
            if byOrder[id] == nil { order.append(id) }
            byOrder[id, default: []].append(
                DueOperation(
                    order: id,
                    operation: operation,
                    kind: Operation.Kind(rawValue: try row.text("kind")),
                    marketplace: try row.text("marketplace"),
                    pspAccount: try row.optionalText("psp_account") ?? ""
                )
            )
        }
        try StepFailures.record(nameless: nameless, at: now, in: session)
        for id in order where byOrder[id, default: []].count > part {
            let rest = byOrder[id, default: []].dropFirst(part).map(\.operation.sqlValue)
            try sendBack(id, rest, at: now, in: session)
            byOrder[id]?.removeSubrange(part...)
        }
        return order.flatMap { byOrder[$0] ?? [] }
    }

    /// Sends what else an order has due to the back of the queue.
    private static func sendBack(
        _ order: OrderID,
        _ picked: [SQLValue],
        at now: Timestamp,
        in session: any Session
    ) throws(SQLError) {
        let queue = Queue.operations
        let others = try session.rows(
            """
            SELECT id FROM operation WHERE order_id = \(order) AND due_at IS NOT NULL AND \(queue.time) < \(now)
            LIMIT \(backLimit) \(unsafeText: session.dialect.lockSkippingLocked)
            """
        ).map { row throws(SQLError) in try row.value("id") }
        try hold(picked + others, of: queue, until: now, in: session)
    }
}
