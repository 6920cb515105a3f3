package import Domain
package import SQL

/// Why a step of one order could not be taken, through nobody else's fault.
package struct StepFailure: Hashable, Sendable {
    /// What kind of trouble it is.
    package enum Kind: String, Sendable {
        /// A row of the order cannot be read.
        case unreadable = "order_unreadable"
        /// The step would break a rule that never breaks.
        case ruleBroken = "rule_broken"
        /// No adapter can be made for the operation's PSP account.
        case accountUnusable = "psp_account_unusable"
        /// The operation is due, but the order has nothing to do for it.
        case notTaken = "operation_not_taken"
        /// Anything else.
        case other = "step_failed"
    }

    /// What kind of trouble it is.
    package let kind: Kind
    /// What exactly, without anything that came from outside.
    package let detail: String

    /// Makes a failure.
    package init(_ kind: Kind, _ detail: String) {
        self.kind = kind
        self.detail = detail
    }

    /// Makes the failure of an order with a column that cannot be read.
    package init(unreadable column: String) {
        self.init(.unreadable, "What is stored in the column \(column) of the order or its parts cannot be read.")
    }
}

/// Keeps count of the failures of steps, for an operation or for the whole order, and holds it back longer each time.
package enum StepFailures {
    /// How long to wait after each failure in a row, in milliseconds; the last one repeats.
    private static let pauses: [Int64] = [1000, 5000, 30_000, 120_000, 600_000, 3_600_000]

    /// An order in trouble, as far as it can be told without reading it.
    package struct Item: Hashable, Sendable {
        /// The order.
        package let order: String
        /// The marketplace's reference.
        package let reference: String?
        /// The PSP account of the operations; nil if the whole order fails.
        package let pspAccount: String?
        /// What kind of trouble it is, as stored.
        package let kind: String
        /// What exactly.
        package let detail: String
        /// The code of the currency, as stored.
        package let currency: String?
        /// What the operations are about, or the whole order, in minor units.
        package let amount: Int64?
        /// Since when.
        package let since: Timestamp
        /// One of the operations; nil if the whole order fails.
        package let operation: String?
        /// How many operations fail so.
        package let operations: Int64
        /// How often it failed in a row.
        package let failures: Int64
        /// When it is tried again.
        package let retryAt: Timestamp?
    }

    /// How long to wait after the n-th failure in a row, from 1, in milliseconds.
    package static func pause(after failures: Int64) -> Int64 {
        pauses[min(Int(clamping: max(failures, 1)), pauses.count) - 1]
    }

    /// Counts a failure of operations, holds each back, and answers how often the first of them failed by now.
    ///
    /// - Parameters:
    ///   - failure: what went wrong.
    ///   - operations: which operations failed; one that is due no more is left out.
    ///   - order: their order.
    ///   - wakeAt: when an order wants to look at the clock.
    ///   - now: the time.
    ///   - session: the transaction.
    /// - Returns: how often the one that failed most did so in a row.
    /// - Throws: `SQLError`, also if the order cannot be read.
    package static func record(
        _ failure: StepFailure,
        of operations: [OperationID],
        in order: OrderID,
        wakeAt: (Order) -> Timestamp?,
        at now: Timestamp,
        in session: any Session
    ) throws(SQLError) -> Int64 {
        guard try OrderReader.lock(order, in: session) != nil,
            let work = try session.rows(WorkTable.query(of: order)).first.map(WorkTable.Stored.init),
            let order = try OrderReader.load(order, in: session)
        else { return 1 }
        var failing = try OperationFailures.all(of: order.id, in: session)
        var worst: Int64 = 1
        for attempt in order.payments.flatMap(\.attempts) {
            for operation in attempt.operations where operations.contains(operation.id) && operation.dueAt != nil {
                let count = (failing[operation.id]?.failures ?? 0) + 1
                let until = now.adding(milliseconds: pause(after: count))
                worst = max(worst, count)
                failing[operation.id] = OperationFailures.Stored(failures: count, heldUntil: until)
                let row = OperationFailures.Row(operation, at: attempt.route.pspAccount, in: order)
                try OperationFailures.save(row, failure, count, since: now, until: until, in: session)
            }
        }
        let schedule = OrderSchedule(of: order, wakeAt: wakeAt(order), held: failing.compactMapValues(\.heldUntil))
        try WorkTable.write(schedule, of: order, over: work, at: now, isStep: false, in: session)
        return worst
    }

    /// Counts a failure of a whole order, and holds it back.
    ///
    /// - Parameters:
    ///   - failure: what went wrong.
    ///   - order: the order.
    ///   - now: the time.
    ///   - session: the transaction.
    /// - Returns: how often it failed by now; nil if there is no such order.
    /// - Throws: `SQLError`.
    package static func record(
        _ failure: StepFailure,
        of order: OrderID,
        at now: Timestamp,
        in session: any Session
    ) throws(SQLError) -> Int64? {
        guard try OrderReader.lock(order, in: session) != nil,
            let owner = try session.rows("SELECT marketplace FROM orders WHERE id = \(order)").first?.text(
                "marketplace"
            )
        else { return nil }
        let known = try session.rows("SELECT failures FROM work WHERE order_id = \(order)").first?.integer("failures")
        let count = (known ?? 0) + 1
        let until = now.adding(milliseconds: pause(after: count))
        try session.run(
            """
            INSERT INTO work (order_id, marketplace, share, in_hand, held_until, failures, failing_since, failure,
                failure_detail)
            VALUES (\(order), \(owner), \(owner), 0, \(until), \(count), \(now), \(failure.kind.rawValue),
                \(failure.detail))
            ON CONFLICT (order_id) DO UPDATE SET failures = excluded.failures, held_until = excluded.held_until,
                failing_since = COALESCE(work.failing_since, excluded.failing_since), failure = excluded.failure,
                failure_detail = excluded.failure_detail
            """
        )
        return count
    }

    /// Counts a failure of a row of work that has no valid name of an order.
    static func record(nameless order: String, at now: Timestamp, in session: any Session) throws(SQLError) {
        try session.run(
            """
            UPDATE work SET failures = failures + 1, failing_since = COALESCE(failing_since, \(now)),
                failure = \(StepFailure.Kind.unreadable.rawValue),
                failure_detail = 'The name of the order cannot be read.',
                held_until = \(now.adding(milliseconds: pauses[pauses.count - 1]))
            WHERE order_id = \(order)
            """
        )
    }

    /// What fails, each kind of trouble of an order once, the longest first, at most `limit`; reads no order.
    package static func list(marketplace: String?, limit: Int, in session: any Session) throws(SQLError) -> [Item] {
        func condition(_ table: SQL) -> SQL { marketplace.map { "AND \(table).marketplace = \($0)" } ?? "" }
        let integer: SQL = "\(unsafeText: session.dialect.integerType)"
        let (orders, operations) = try session.rows(
            """
            SELECT w.order_id, o.reference, CAST(NULL AS TEXT) AS psp_account, w.failure, w.failure_detail,
                o.currency, o.amount, w.failing_since, CAST(NULL AS TEXT) AS operation, CAST(0 AS \(integer)) AS number,
                w.failures, w.held_until
            FROM work AS w LEFT JOIN orders AS o ON o.id = w.order_id
            WHERE w.failing_since IS NOT NULL \(condition("w"))
            ORDER BY w.failing_since, w.order_id LIMIT \(limit)
            """,
            """
            SELECT p.order_id, MIN(o.reference) AS reference, MIN(p.psp_account) AS psp_account, p.failure,
                p.failure_detail, MIN(o.currency) AS currency, CAST(SUM(p.amount) AS \(integer)) AS amount,
                MIN(p.failing_since) AS failing_since, MIN(p.operation_id) AS operation,
                CAST(COUNT(*) AS \(integer)) AS number, MAX(p.failures) AS failures, MIN(p.held_until) AS held_until
            FROM operation_failure AS p LEFT JOIN orders AS o ON o.id = p.order_id
            WHERE 1 = 1 \(condition("p"))
            GROUP BY p.order_id, p.failure, p.failure_detail
            ORDER BY MIN(p.failing_since), p.order_id LIMIT \(limit)
            """
        )
        let items = try (orders + operations).map { row throws(SQLError) in try item(row) }
        return Array(items.sorted { ($0.since, $0.order) < ($1.since, $1.order) }.prefix(limit))
    }

    private static func item(_ row: Row) throws(SQLError) -> Item {
        Item(
            order: try row.text("order_id"),
            reference: try row.optionalText("reference"),
            pspAccount: try row.optionalText("psp_account"),
            kind: try row.optionalText("failure") ?? StepFailure.Kind.other.rawValue,
            detail: try row.optionalText("failure_detail") ?? "",
            currency: try row.optionalText("currency"),
            amount: try row.optionalInteger("amount"),
            since: try row.time("failing_since"),
            operation: try row.optionalText("operation"),
            operations: try row.integer("number"),
            failures: try row.integer("failures"),
            retryAt: try row.optionalTime("held_until")
        )
    }
}

/// What keeps single operations from being carried on.
package enum OperationFailures {
    /// How often an operation failed in a row, and until when it is left alone; nil if it was taken in hand since.
    package struct Stored: Hashable, Sendable {
        /// How often.
        let failures: Int64
        /// Until when.
        package let heldUntil: Timestamp?
    }

    /// An operation with what a list of failures says of it.
    struct Row {
        let operation: Operation
        let pspAccount: String
        let order: Order

        init(_ operation: Operation, at pspAccount: String, in order: Order) {
            self.operation = operation
            self.pspAccount = pspAccount
            self.order = order
        }
    }

    /// The operations of an order that failed.
    package static func all(
        of order: OrderID,
        in session: any Session
    ) throws(SQLError) -> [OperationID: Stored] {
        try all(of: [order], in: session)
    }

    /// The operations of orders that failed.
    package static func all(
        of orders: [OrderID],
        in session: any Session
    ) throws(SQLError) -> [OperationID: Stored] {
        var failing: [OperationID: Stored] = [:]
        let rows = try session.rows(
            """
            SELECT operation_id, failures, held_until FROM operation_failure
            WHERE order_id IN (\(list: orders.map(\.sqlValue)))
            """
        )
        for row in rows {
            failing[try row.identifier("operation_id")] = Stored(
                failures: try row.integer("failures"),
                heldUntil: try row.optionalTime("held_until")
            )
        }
        return failing
    }

    static func save(
        _ row: Row,
        _ failure: StepFailure,
        _ count: Int64,
        since now: Timestamp,
        until: Timestamp,
        in session: any Session
    ) throws(SQLError) {
        try session.run(
            """
            INSERT INTO operation_failure (operation_id, order_id, marketplace, psp_account, amount, failures,
                failing_since, failure, failure_detail, held_until)
            VALUES (\(row.operation.id), \(row.order.id), \(row.order.marketplace), \(row.pspAccount),
                \(row.operation.amount), \(count), \(now), \(failure.kind.rawValue), \(failure.detail), \(until))
            ON CONFLICT (operation_id) DO UPDATE SET failures = excluded.failures, failure = excluded.failure,
                failure_detail = excluded.failure_detail, held_until = excluded.held_until
            """
        )
    }

    /// Forgets the failures of operations that a step carried on: of what somebody has in hand, until when it is left
    /// alone; of what nobody has in hand any more, all.
    ///
    /// - Returns: until when those that still fail are left alone.
    static func settle(
        _ order: Order,
        from previous: Order,
        in work: WorkTable.Stored?,
        in session: any Session
    ) throws(SQLError) -> [OperationID: Timestamp] {
        guard let work, work.failingOperations > 0 else { return [:] }
        var held = try all(of: order.id, in: session).compactMapValues(\.heldUntil)
        let before = Dictionary(uniqueKeysWithValues: previous.operations.map { ($0.id, $0) })
        for operation in order.operations where before[operation.id] != operation {
            held[operation.id] = nil
            try session.run(
                operation.leasedBy == nil
                    ? "DELETE FROM operation_failure WHERE operation_id = \(operation.id)"
                    : "UPDATE operation_failure SET held_until = NULL WHERE operation_id = \(operation.id)"
            )
        }
        return held
    }
}

extension Order {
    fileprivate var operations: [Operation] { payments.flatMap(\.attempts).flatMap(\.operations) }
}
