package import Domain
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
