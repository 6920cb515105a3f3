package import Domain
package import SQL

/// When anything falls due: of orders, webhooks, agreements' methods and callbacks.
package enum DueWork {
    /// The first moment at which somebody who looks for due work finds any; nil if nothing waits for a moment.
    ///
    /// Reads all that waits: for a database of which little does.
    ///
    /// - Throws: `SQLError`.
    package static func next(in session: any Session) throws(SQLError) -> Timestamp? {
        let rows = try session.rows([
            held("work", "at"), held("psp_webhook", "due_at"),
            "SELECT MIN(ask_at) AS at, NULL AS earliest, NULL AS retry FROM agreement WHERE ask_at IS NOT NULL",
            """
            SELECT remove_at AS at, leased_until AS earliest, NULL AS retry FROM agreement_method
            WHERE remove_at IS NOT NULL
            """,
            """
            SELECT MIN(c.due_at) AS at, e.leased_until AS earliest, e.retry_at AS retry
            FROM callback c JOIN callback_endpoint e ON e.id = c.endpoint_id
            WHERE c.due_at IS NOT NULL AND e.state = 'enabled' GROUP BY e.id, e.leased_until, e.retry_at
            """,
        ])
        var first: Timestamp?
        for row in rows.joined() {
            guard let at = try row.optionalTime("at") else { continue }
            let moments = [at, try row.optionalTime("earliest") ?? at, try row.optionalTime("retry") ?? at]
            let due = moments.max() ?? at
            if first.map({ due < $0 }) ?? true { first = due }
        }
        return first
    }

    /// What is held back after it fell due.
    private static func held(_ table: SQL, _ due: SQL) -> SQL {
        "SELECT \(due) AS at, held_until AS earliest, NULL AS retry FROM \(table) WHERE \(due) IS NOT NULL"
    }
}
