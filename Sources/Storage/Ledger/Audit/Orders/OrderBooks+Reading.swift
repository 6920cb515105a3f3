import Domain
import SQL

/// Reading all that is stored about orders, in one round trip.
extension OrderBooks {
    static func read(_ orders: [Order], in session: any Session) throws(SQLError) -> [OrderBooks] {
        guard !orders.isEmpty else { return [] }
        let answers = try session.rows(questions(orders.map(\.id.sqlValue), session.dialect))
        var books = Dictionary(uniqueKeysWithValues: orders.map { ($0.id.text, OrderBooks(order: $0)) })
        for row in answers[0] {
            let id = try row.text("id")
            books[id]?.status = try row.text("status")
            books[id]?.payable = try row.integer("payable")
        }
        for row in answers[1] {
            books[try row.text("order_id")]?.payments[try row.identifier("id")] = Cached(
                status: try row.text("status"),
                authorized: try row.integer("authorized"),
                captured: try row.integer("captured"),
                refunded: try row.integer("refunded")
            )
        }
        for row in answers[2] { try add(journal: row, to: &books) }
        for row in answers[3] {
            let id = try row.text("order_id")
            books[id]?.facts[try row.text("operation_id"), default: []].insert(try row.text("kind"))
        }
        for row in answers[4] {
            let id = try row.text("order_id")
            books[id]?.eventCount = try row.integer("count")
            books[id]?.firstEvent = try row.integer("first")
            books[id]?.lastEvent = try row.integer("last")
        }
        for row in answers[5] { books[try row.text("order_id")]?.toldDecision = try row.text("type") }
        for row in answers[6] { try add(callbacks: row, to: &books) }
        return orders.compactMap { books[$0.id.text] }
    }

    private static func questions(_ ids: [SQLValue], _ dialect: Dialect) -> [SQL] {
        let integer = dialect.integerType
        func number(_ expression: SQL, _ name: SQL) -> SQL {
            "CAST(\(expression) AS \(unsafeText: integer)) AS \(name)"
        }
        return [
            "SELECT id, status, payable FROM orders WHERE id IN (\(list: ids))",
            "SELECT id, order_id, status, authorized, captured, refunded FROM payment WHERE order_id IN (\(list: ids))",
            """
            SELECT e.order_id, e.id, e.kind, e.operation_id, e.dispute_id, p.debit, p.credit, p.amount
            FROM journal_entry AS e LEFT JOIN posting AS p ON p.entry_id = e.id WHERE e.order_id IN (\(list: ids))
            """,
            """
            SELECT o.order_id, f.operation_id, f.kind FROM operation AS o JOIN fact AS f ON f.operation_id = o.id
            WHERE o.order_id IN (\(list: ids))
            """,
            """
            SELECT order_id, \(number("COUNT(*)", "count")), \(number("MIN(sequence)", "first")),
                \(number("MAX(sequence)", "last"))
            FROM event WHERE order_id IN (\(list: ids)) GROUP BY order_id
            """,
            """
            SELECT order_id, type FROM event WHERE order_id IN (\(list: ids))
                AND type IN ('order.accepted', 'order.refused', 'order.canceled') ORDER BY order_id, sequence
            """,
            """
            SELECT order_id, endpoint_id, merchant, CASE WHEN merchant = '' THEN '' ELSE payment_id END AS payment,
                \(number("COUNT(*)", "count")), \(number("COUNT(DISTINCT sequence)", "numbers")),
                \(number("MIN(sequence)", "first")), \(number("MAX(sequence)", "last"))
            FROM callback WHERE order_id IN (\(list: ids))
            GROUP BY order_id, endpoint_id, merchant, CASE WHEN merchant = '' THEN '' ELSE payment_id END
            """,
        ]
    }

    private static func add(journal row: Row, to books: inout [String: OrderBooks]) throws(SQLError) {
        let order = try row.text("order_id")
        if let operation = try row.optionalText("operation_id") {
            books[order]?.entries[operation, default: [:]][try row.text("id")] = try row.text("kind")
        }
        guard let debit = try row.optionalText("debit") else { return }
        books[order]?.postings.append(
            Posted(
                dispute: try row.optionalText("dispute_id"),
                debit: debit,
                credit: try row.text("credit"),
                amount: try row.integer("amount")
            )
        )
    }

    private static func add(callbacks row: Row, to books: inout [String: OrderBooks]) throws(SQLError) {
        let merchant = try row.text("merchant")
        books[try row.text("order_id")]?.told.append(
            Told(
                endpoint: try row.text("endpoint_id"),
                merchant: merchant.isEmpty ? nil : merchant,
                payment: try row.optionalText("payment"),
                count: try row.integer("count"),
                distinct: try row.integer("numbers"),
                first: try row.integer("first"),
                last: try row.integer("last")
            )
        )
    }
}
