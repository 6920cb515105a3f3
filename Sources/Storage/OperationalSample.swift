package import Domain
package import SQL

/// What somebody on call watches of all that is stored, over all marketplaces, at one moment.
///
/// Every count ends at a bound, so that taking it costs no more than reading that many rows of an index or of a table
/// that holds only what is open: nothing of it reads a table of history from one end to the other.
package struct OperationalSample: Hashable, Sendable {
    /// What is open is not counted beyond this.
    package static let countLimit: Int64 = 100_000
    /// So many items for a person are added up at most.
    package static let attentionLimit: Int64 = 10_000
    /// So many orders whose holds are about to lapse are looked at.
    package static let lapsingLimit: Int64 = 500
    /// Holds count as lapsing so long before they do, in milliseconds: a day.
    package static let lapsingMilliseconds: Int64 = 86_400_000

    /// An amount of a currency, and how many things it is of.
    package struct Total: Hashable, Sendable {
        /// How many.
        package var count: Int64 = 0
        /// In minor units.
        package var amount: Int64 = 0
    }

    /// How long ago something came up for a person.
    package enum Age: String, Hashable, Sendable, CaseIterable {
        case underAnHour = "under_1h"
        case underADay = "under_1d"
        case underAWeek = "under_7d"
        case older = "over_7d"
    }

    /// What items for a person have in common.
    package struct AttentionGroup: Hashable, Sendable {
        /// Why.
        package let reason: String
        /// The order's currency.
        package let currency: String
        /// Since when.
        package let age: Age
    }

    /// What breaks have in common.
    package struct BreakGroup: Hashable, Sendable {
        /// How they differ.
        package let type: String
        /// The currency; nil if they are not about an amount.
        package let currency: String?
    }

    /// The moment.
    package let at: Timestamp
    /// Callbacks and their endpoints.
    package let callbacks: CallbackStatistics
    /// What the last complete verifications of the books found.
    package let ledger: LedgerHealth
    /// Orders that are due to be looked at.
    package let work: WorkQueue.Backlog
    /// PSP webhooks that are due to be told to their orders.
    package let webhooks: WorkQueue.Backlog
    /// Orders that are not at rest.
    package let openOrders: Int64
    /// Orders that cannot be carried on, whole.
    package let stuckOrders: Int64
    /// Operations that cannot be carried on.
    package let stuckOperations: Int64
    /// PSP webhooks that are parked for later.
    package let parkedWebhooks: Int64
    /// PSP webhooks that are a problem for a person.
    package let failedWebhooks: Int64
    /// What a person should look at.
    package let attention: [AttentionGroup: Total]
    /// What is held of accepted orders and lapses within a day, by currency.
    package let lapsing: [String: Total]
    /// Breaks that nobody resolved.
    package let breaks: [BreakGroup: Total]
    /// PSP accounts whose credentials are refused.
    package let refusals: [CredentialRefusal]

    /// Takes a sample.
    ///
    /// - Throws: `SQLError`.
    package static func read(at now: Timestamp, in session: any Session) throws(SQLError) -> OperationalSample {
        let backlogs = try WorkQueue.backlogs(at: now, in: session)
        let counts = try counts(in: session)
        return OperationalSample(
            at: now,
            callbacks: try CallbackStatistics.read(in: session),
            ledger: try LedgerWatchTable.health(in: session),
            work: backlogs.orders,
            webhooks: backlogs.webhooks,
            openOrders: counts[0],
            stuckOrders: counts[1],
            stuckOperations: counts[2],
            parkedWebhooks: counts[3],
            failedWebhooks: counts[4],
            attention: try attention(at: now, in: session),
            lapsing: try lapsing(at: now, in: session),
            breaks: try breaks(in: session),
            refusals: try CredentialRefusalTable.all(in: session)
        )
    }

    private static func counts(in session: any Session) throws(SQLError) -> [Int64] {
        let integer = session.dialect.integerType
        // In the words of the index, by which SQLite knows it.
        let amiss: SQL = "SELECT id FROM psp_webhook WHERE state IN ('parked', 'unrelated', 'problem')"
        let tables: [SQL] = [
            "SELECT order_id FROM work", "SELECT order_id FROM work WHERE failing_since IS NOT NULL",
            "SELECT operation_id FROM operation_failure",
            "\(amiss) AND state = 'parked'", "\(amiss) AND state = 'problem'",
        ]
        let answers = try session.rows(
            tables.map { table in
                """
                SELECT CAST(COUNT(*) AS \(unsafeText: integer)) AS number
                FROM (\(table) LIMIT \(countLimit)) AS counted
                """
            }
        )
        return try answers.map { rows throws(SQLError) in try rows.first?.integer("number") ?? 0 }
    }

    /// The currency of each is a query of its own, which no plan turns into reading all orders.
    private static func attention(
        at now: Timestamp,
        in session: any Session
    ) throws(SQLError) -> [AttentionGroup: Total] {
        let (hour, day): (Int64, Int64) = (3_600_000, 86_400_000)
        let integer = session.dialect.integerType
        let rows = try session.rows(
            """
            SELECT reason, currency, age, CAST(COUNT(*) AS \(unsafeText: integer)) AS number,
                CAST(SUM(amount) AS \(unsafeText: integer)) AS amount
            FROM (SELECT a.reason AS reason, a.amount_at_risk AS amount,
                    (SELECT o.currency FROM orders AS o WHERE o.id = a.order_id) AS currency,
                    CASE WHEN a.since > \(now.adding(milliseconds: -hour)) THEN 'under_1h'
                        WHEN a.since > \(now.adding(milliseconds: -day)) THEN 'under_1d'
                        WHEN a.since > \(now.adding(milliseconds: -7 * day)) THEN 'under_7d' ELSE 'over_7d' END AS age
                FROM attention AS a LIMIT \(attentionLimit)) AS items
            GROUP BY reason, currency, age
            """
        )
        var groups: [AttentionGroup: Total] = [:]
        for row in rows {
            let group = AttentionGroup(
                reason: try row.text("reason"),
                currency: try row.optionalText("currency") ?? "none",
                age: try row.word("age")
            )
            groups[group] = Total(count: try row.integer("number"), amount: try row.integer("amount"))
        }
        return groups
    }

    /// What is held of orders that were told to lapse soon: the order's next look at the clock is no later than that.
    private static func lapsing(at now: Timestamp, in session: any Session) throws(SQLError) -> [String: Total] {
        let end = now.adding(milliseconds: lapsingMilliseconds)
        let ids = try WorkQueue.expiring(before: end, limit: lapsingLimit, in: session)
        var totals: [String: Total] = [:]
        guard !ids.isEmpty else { return totals }
        for order in try OrderReader.loadReadable(ids, in: session).orders {
            for attempt in order.payments.flatMap(\.attempts) where attempt.held > 0 {
                guard let lapse = attempt.expiresAt, lapse <= end else { continue }
                totals[order.amount.currency.code, default: Total()].count += 1
                totals[order.amount.currency.code, default: Total()].amount += attempt.held
            }
        }
        return totals
    }

    /// A cross join, so that SQLite goes from marketplaces to their open breaks, and not through all breaks.
    private static func breaks(in session: any Session) throws(SQLError) -> [BreakGroup: Total] {
        let integer = session.dialect.integerType
        let rows = try session.rows(
            """
            SELECT type, currency, CAST(COUNT(*) AS \(unsafeText: integer)) AS number,
                CAST(SUM(ABS(amount)) AS \(unsafeText: integer)) AS amount
            FROM (SELECT b.type AS type, b.currency AS currency, b.amount AS amount FROM marketplace AS m
                CROSS JOIN recon_break AS b WHERE b.marketplace = m.id AND b.state IN ('open', 'investigating')
                LIMIT \(countLimit)) AS unresolved
            GROUP BY type, currency
            """
        )
        var groups: [BreakGroup: Total] = [:]
        for row in rows {
            let group = BreakGroup(type: try row.text("type"), currency: try row.optionalText("currency"))
            groups[group] = Total(count: try row.integer("number"), amount: try row.integer("amount"))
        }
        return groups
    }
}
