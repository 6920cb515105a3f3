import Domain
package import SQL

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
