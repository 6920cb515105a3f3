package import Domain
package import SQL

/// The inbox: what PSPs told by webhook, each event once.
package enum WebhookTable {
    /// What to list; nil means anything.
    package struct Filter: Hashable, Sendable {
        /// The marketplace.
        package var marketplace: String?
        /// Where an event stands.
        package var state: WebhookEntry.State?
        /// The PSP account it came to.
        package var account: String?
        /// The PSP.
        package var psp: String?
        /// The kind of event, as the PSP names it.
        package var type: String?
        /// The order.
        package var order: OrderID?
        /// What the PSP calls it.
        package var event: String?
        /// When it came.
        package var created = CreationRange()
        /// Only events before this one, for the next page.
        package var before: WebhookID?

        /// A filter that lets everything through.
        package init(marketplace: String?) { self.marketplace = marketplace }
    }

    /// Stores the events that are not there yet, and answers which those are.
    package static func insert(_ entries: [WebhookEntry], in session: any Session) throws(SQLError) -> [WebhookID] {
        guard !entries.isEmpty else { return [] }
        let rows = try session.rows(
            """
            INSERT INTO psp_webhook (id, marketplace, psp, psp_account, event_id, type, received_at, body_hash,
                document, state, problem, order_id, attempts, due_at, settled_at)
            VALUES \(rows: entries.sorted { $0.eventID < $1.eventID }.map(row))
            ON CONFLICT (marketplace, psp_account, event_id) DO NOTHING RETURNING id
            """
        )
        return try rows.map { row throws(SQLError) in try row.identifier("id") }
    }

    /// The event with that name.
    package static func find(_ id: WebhookID, in session: any Session) throws(SQLError) -> WebhookEntry? {
        try read(session.rows("SELECT * FROM psp_webhook WHERE id = \(id)")).first
    }

    /// The event with that name, its row locked until the transaction ends.
    package static func lock(_ id: WebhookID, in session: any Session) throws(SQLError) -> WebhookEntry? {
        try read(
            session.rows("SELECT * FROM psp_webhook WHERE id = \(id) \(unsafeText: session.dialect.lock)")
        ).first
    }

    /// Writes where an event stands, whose row the caller has locked.
    package static func update(_ entry: WebhookEntry, in session: any Session) throws(SQLError) {
        try session.run(
            """
            UPDATE psp_webhook SET state = \(entry.state.rawValue), problem = \(entry.problem),
                order_id = \(entry.order), attempts = \(entry.attempts), due_at = \(entry.dueAt),
                settled_at = \(entry.settledAt), held_until = NULL
            WHERE id = \(entry.id)
            """
        )
    }

    /// Settles an event whose row cannot be read as a problem, for a person to look at.
    package static func giveUp(
        _ id: WebhookID,
        because problem: String,
        at now: Timestamp,
        in session: any Session
    ) throws(SQLError) {
        try session.run(
            """
            UPDATE psp_webhook SET state = 'problem', problem = \(problem), due_at = NULL, settled_at = \(now),
                held_until = NULL
            WHERE id = \(id) AND due_at IS NOT NULL
            """
        )
    }

    /// Lets an event be told to its order again, as if it had just come; false if there is no such event.
    package static func replay(_ id: WebhookID, at now: Timestamp, in session: any Session) throws(SQLError) -> Bool {
        try session.change(
            """
            UPDATE psp_webhook SET state = 'received', problem = NULL, attempts = 0, due_at = \(now),
                settled_at = NULL, held_until = NULL
            WHERE id = \(id)
            """
        ) == 1
    }

    /// The events that pass the filter, newest first, at most `limit`.
    package static func list(
        _ filter: Filter,
        limit: Int,
        in session: any Session
    ) throws(SQLError) -> [WebhookEntry] {
        try read(
            session.rows("SELECT * FROM psp_webhook WHERE \(filter.condition) ORDER BY id DESC LIMIT \(limit)")
        )
    }

    /// A page of the events that pass the filter, newest first.
    ///
    /// Reads a bounded number of rows: the page may be short, or even empty, though there is more.
    ///
    /// - Parameters:
    ///   - filter: what to look for.
    ///   - limit: how many at most.
    ///   - session: the transaction.
    /// - Returns: the events, and the one behind which to go on; nil if there is nothing behind.
    /// - Throws: `SQLError`.
    package static func page(
        _ filter: Filter,
        limit: Int,
        in session: any Session
    ) throws(SQLError) -> (entries: [WebhookEntry], next: WebhookID?) {
        let owner: SQL = filter.marketplace.map { "marketplace = \($0)" } ?? "1 = 1"
        let scan = BoundedScan(
            source: """
                SELECT id, marketplace, psp, psp_account, event_id, type, received_at, state, order_id FROM psp_webhook
                WHERE \(SQL.all([owner] + filter.created.bounds(on: "id", WebhookID.self)))
                """,
            columns: "id",
            condition: filter.condition,
            order: "id DESC",
            place: { row throws(SQLError) in "id < \(try row.text("id"))" }
        )
        let found = try scan.page(limit: limit, from: filter.before.map { "id < \($0)" }, in: session)
        let ids = try found.rows.map { row throws(SQLError) in try row.value("id") }
        let entries = try read(session.rows("SELECT * FROM psp_webhook WHERE id IN (\(list: ids)) ORDER BY id DESC"))
        return (entries, try found.last.map { row throws(SQLError) in try row.identifier("id") })
    }

    /// How many events came to nothing so far: those that are parked, unrelated or a problem.
    package static func countAmiss(
        marketplace: String?,
        in session: any Session
    ) throws(SQLError) -> [WebhookEntry.State: Int64] {
        let condition: SQL = marketplace.map { "AND marketplace = \($0)" } ?? ""
        let rows = try session.rows(
            """
            SELECT state, CAST(COUNT(*) AS \(unsafeText: session.dialect.integerType)) AS number FROM psp_webhook
            WHERE state IN ('parked', 'unrelated', 'problem') \(condition) GROUP BY state
            """
        )
        var counts: [WebhookEntry.State: Int64] = [:]
        for row in rows { counts[try row.word("state")] = try row.integer("number") }
        return counts
    }

    /// The oldest event about an order that was not told to it, or not wholly; nil if there is none.
    package static func oldestProblem(
        about order: OrderID,
        in session: any Session
    ) throws(SQLError) -> WebhookEntry? {
        try read(
            session.rows(
                "SELECT * FROM psp_webhook WHERE order_id = \(order) AND state = 'problem' ORDER BY id LIMIT 1"
            )
        ).first
    }

    /// The oldest event of each PSP account that is a problem and about no order that is known, and how many there are.
    package static func strays(
        of marketplace: String?,
        in session: any Session
    ) throws(SQLError) -> [(oldest: WebhookEntry, count: Int64)] {
        let condition: SQL = marketplace.map { "AND marketplace = \($0)" } ?? ""
        let rows = try session.rows(
            """
            SELECT w.*, s.number FROM (
                SELECT MIN(id) AS first, CAST(COUNT(*) AS \(unsafeText: session.dialect.integerType)) AS number
                FROM psp_webhook WHERE state = 'problem' AND order_id IS NULL \(condition)
                GROUP BY marketplace, psp_account
            ) AS s JOIN psp_webhook AS w ON w.id = s.first ORDER BY w.id
            """
        )
        let counts = try rows.map { row throws(SQLError) in try row.integer("number") }
        return Array(zip(try read(rows), counts))
    }

    private static func row(_ entry: WebhookEntry) -> [SQLValue] {
        [
            entry.id.sqlValue, entry.marketplace.sqlValue, entry.psp.sqlValue, entry.account.sqlValue,
            entry.eventID.sqlValue, entry.type.sqlValue, entry.receivedAt.sqlValue, entry.bodyHash.sqlValue,
            entry.document.text.sqlValue, entry.state.rawValue.sqlValue, entry.problem.sqlValue,
            entry.order.sqlValue, entry.attempts.sqlValue, entry.dueAt.sqlValue, entry.settledAt.sqlValue,
        ]
    }

    /// Reads rows; what was stored of one event and cannot be read keeps nobody from the others.
    private static func read(_ rows: [Row]) throws(SQLError) -> [WebhookEntry] {
        try rows.map { row throws(SQLError) in
            WebhookEntry(
                id: try row.identifier("id"),
                marketplace: try row.text("marketplace"),
                psp: try row.text("psp"),
                account: try row.text("psp_account"),
                eventID: try row.text("event_id"),
                type: try row.text("type"),
                receivedAt: try row.time("received_at"),
                bodyHash: try row.text("body_hash"),
                document: (try? WebhookDocument(text: try row.text("document"))) ?? .unreadable,
                state: try row.word("state"),
                problem: try row.optionalText("problem"),
                order: try row.optionalIdentifier("order_id"),
                attempts: try row.integer("attempts"),
                dueAt: try row.optionalTime("due_at"),
                settledAt: try row.optionalTime("settled_at")
            )
        }
    }
}

extension WebhookTable.Filter {
    fileprivate var condition: SQL {
        var conditions = created.conditions(on: "received_at")
        if let marketplace { conditions.append("marketplace = \(marketplace)") }
        if let state { conditions.append("state = \(state.rawValue)") }
        if let account { conditions.append("psp_account = \(account)") }
        if let psp { conditions.append("psp = \(psp)") }
        if let type { conditions.append("type = \(type)") }
        if let order { conditions.append("order_id = \(order)") }
        if let event { conditions.append("event_id = \(event)") }
        return SQL.all(conditions)
    }
}

/// Finds what a PSP speaks of.
package enum SubjectSearch {
    /// An attempt and its order.
    package struct Found: Hashable, Sendable {
        /// The order.
        package let order: OrderID
        /// The attempt.
        package let attempt: AttemptID
    }

    /// The attempt at a PSP account that a notice is about, by the first of its names that is known there: our
    /// operation, our attempt, the PSP's payment, the PSP's capture, void or refund, the PSP's dispute.
    ///
    /// A name that belongs to another account is as good as unknown: who can write at one account says nothing of
    /// what is at another.
    package static func find(
        _ subject: Notice.Subject,
        at account: String,
        of marketplace: String,
        in session: any Session
    ) throws(SQLError) -> Found? {
        func attempt(in orders: [Order], _ isMeant: (Payment, Attempt) -> Bool) -> Found? {
            for order in orders where order.marketplace == marketplace {
                for payment in order.payments {
                    for attempt in payment.attempts
                    where attempt.route.pspAccount == account && isMeant(payment, attempt) {
                        return Found(order: order.id, attempt: attempt.id)
                    }
                }
            }
            return nil
        }
        func own(_ order: OrderID) throws(SQLError) -> [Order] {
            try OrderReader.loadReadable([order], in: session).orders
        }
        func named(_ name: String) throws(SQLError) -> [Order] {
            try PSPNames.orders(named: name, of: marketplace, at: account, in: session)
        }
        if let id = subject.operation.flatMap({ OperationID($0) }),
            let found = attempt(in: try own(OrderID(of: id)), { $1.operations.contains { $0.id == id } })
        {
            return found
        }
        if let id = subject.attempt.flatMap({ AttemptID($0) }),
            let found = attempt(in: try own(OrderID(of: id)), { $1.id == id })
        {
            return found
        }
        if let name = subject.payment, let found = attempt(in: try named(name), { $1.pspReference == name }) {
            return found
        }
        guard let name = subject.object else { return nil }
        if let found = attempt(in: try named(name), { $1.operations.contains { $0.reference == name } }) {
            return found
        }
        let rows = try session.rows(
            """
            SELECT order_id, attempt_id FROM dispute
            WHERE reference = \(name) AND marketplace = \(marketplace) AND psp_account = \(account)
            ORDER BY attempt_id LIMIT 1
            """
        )
        return try rows.first.map { row throws(SQLError) in
            Found(order: try row.identifier("order_id"), attempt: try row.identifier("attempt_id"))
        }
    }
}
