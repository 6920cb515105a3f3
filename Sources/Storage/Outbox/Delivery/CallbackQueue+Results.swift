package import Domain
package import SQL

/// Writing down what became of callbacks, and clearing up.
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

    /// Forgets callbacks that were settled before `moment`, at most `limit`; answers how many.
    package static func forget(
        settledBefore moment: Timestamp,
        limit: Int,
        in session: any Session
    ) throws(SQLError) -> Int {
        try session.change(
            """
            DELETE FROM callback WHERE id IN (
                SELECT id FROM callback WHERE settled_at < \(moment) ORDER BY settled_at LIMIT \(limit)
            )
            """
        )
    }
}
