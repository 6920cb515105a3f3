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

/// Keeps count of the failures of steps, on the row that wanted the step, and holds it back longer each time.
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
    package static func record(
        _ failure: StepFailure,
        of operations: [OperationID],
        in order: OrderID,
        at now: Timestamp,
        in session: any Session
    ) throws(SQLError) -> Int64 {
        _ = try OrderReader.lock(order, in: session)
        let rows = try session.rows(
            "SELECT id, failures FROM operation WHERE id IN (\(list: operations.map(\.sqlValue))) AND due_at IS NOT NULL"
        )
        for row in rows {
            let count = try row.integer("failures") + 1
            let until = now.adding(milliseconds: pause(after: count))
            try session.run(
                """
                UPDATE operation SET failures = \(count), failing_since = COALESCE(failing_since, \(now)),
                    failure = \(failure.kind.rawValue), failure_detail = \(failure.detail), held_until = \(until)
                WHERE id = \(try row.text("id"))
                """
            )
        }
        return try rows.map { row throws(SQLError) in try row.integer("failures") + 1 }.max() ?? 1
    }

    /// Counts a failure of a whole order, and holds it back.
    ///
    /// - Parameters:
    ///   - failure: what went wrong.
    ///   - order: the order.
    ///   - holdsAll: whether no operation of it can be carried on either.
    ///   - now: the time.
    ///   - session: the transaction.
    /// - Returns: how often it failed by now; nil if there is no such order.
    /// - Throws: `SQLError`.
    package static func record(
        _ failure: StepFailure,
        of order: OrderID,
        holdingAll holdsAll: Bool,
        at now: Timestamp,
        in session: any Session
    ) throws(SQLError) -> Int64? {
        guard try OrderReader.lock(order, in: session) != nil,
            let known = try session.rows("SELECT failures FROM orders WHERE id = \(order)").first
        else { return nil }
        let count = try known.integer("failures") + 1
        let until = now.adding(milliseconds: pause(after: count))
        try session.run(
            """
            UPDATE orders SET failures = \(count), failing_since = COALESCE(failing_since, \(now)),
                failure = \(failure.kind.rawValue), failure_detail = \(failure.detail), held_until = \(until)
            WHERE id = \(order)
            """
        )
        if holdsAll {
            try session.run(
                "UPDATE operation SET held_until = \(until) WHERE order_id = \(order) AND due_at IS NOT NULL"
            )
        }
        return count
    }

    /// Counts a failure of operations whose row has no valid name of the operation or of its order.
    static func record(nameless rows: [SQLValue], at now: Timestamp, in session: any Session) throws(SQLError) {
        guard !rows.isEmpty else { return }
        try session.run(
            """
            UPDATE operation SET failures = failures + 1, failing_since = COALESCE(failing_since, \(now)),
                failure = \(StepFailure.Kind.unreadable.rawValue),
                failure_detail = 'The name of the operation or of its order cannot be read.',
                held_until = \(now.adding(milliseconds: pauses[pauses.count - 1]))
            WHERE id IN (\(list: rows))
            """
        )
    }

    /// What fails, each kind of trouble of an order once, the longest first, at most `limit`; reads no order.
    package static func list(marketplace: String?, limit: Int, in session: any Session) throws(SQLError) -> [Item] {
        func condition(_ table: SQL) -> SQL { marketplace.map { "AND \(table).marketplace = \($0)" } ?? "" }
        let integer: SQL = "\(unsafeText: session.dialect.integerType)"
        let (orders, operations) = try session.rows(
            """
            SELECT o.id AS order_id, o.reference, CAST(NULL AS TEXT) AS psp_account, o.failure, o.failure_detail,
                o.currency, o.amount, o.failing_since, CAST(NULL AS TEXT) AS operation, CAST(0 AS \(integer)) AS number,
                o.failures, o.held_until
            FROM orders AS o WHERE o.failing_since IS NOT NULL \(condition("o"))
            ORDER BY o.failing_since, o.id LIMIT \(limit)
            """,
            """
            SELECT p.order_id, MIN(o.reference) AS reference, MIN(p.psp_account) AS psp_account, p.failure,
                p.failure_detail, MIN(o.currency) AS currency, CAST(SUM(p.amount) AS \(integer)) AS amount,
                MIN(p.failing_since) AS failing_since, MIN(p.id) AS operation, CAST(COUNT(*) AS \(integer)) AS number,
                MAX(p.failures) AS failures, MIN(p.held_until) AS held_until
            FROM operation AS p LEFT JOIN orders AS o ON o.id = p.order_id
            WHERE p.failing_since IS NOT NULL \(condition("p"))
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
