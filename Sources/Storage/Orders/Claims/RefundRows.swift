import Domain
import SQL
import StrictJSON

/// The rows of what was asked to be given back; what became of it is told by the operations.
enum RefundRows {
    static func insert(_ order: Order, since previous: Order, in session: any Session) throws(SQLError) {
        let known = Set(previous.refunds.map(\.id))
        let rows: [[SQLValue]] = order.refunds.enumerated().filter { !known.contains($0.element.id) }.map {
            let (position, refund) = $0
            return [
                refund.id.sqlValue, order.id.sqlValue, position.sqlValue, order.marketplace.sqlValue,
                text(refund.items).sqlValue, refund.amount.sqlValue, refund.borneBy.rawValue.sqlValue,
                refund.reason.sqlValue, refund.createdAt.sqlValue,
            ]
        }
        guard !rows.isEmpty else { return }
        try session.run(
            """
            INSERT INTO refund (id, order_id, position, marketplace, items, amount, borne_by, reason, created_at)
            VALUES \(rows: rows)
            """
        )
    }

    static func read(_ row: Row) throws(SQLError) -> Refund {
        Refund(
            id: try row.identifier("id"),
            items: try items(try row.text("items")),
            borneBy: try row.word("borne_by"),
            reason: try row.text("reason"),
            createdAt: try row.time("created_at")
        )
    }

    private static func text(_ items: [Refund.Item]) -> String {
        JSON.array(
            items.map { .object([.init("payment", .string($0.payment.text)), .init("amount", .integer($0.amount))]) }
        ).text
    }

    private static func items(_ text: String) throws(SQLError) -> [Refund.Item] {
        guard let documents = (try? JSON.parse(text: text))?.arrayValue else {
            throw .unexpectedValue(column: "items")
        }
        var items: [Refund.Item] = []
        for document in documents {
            guard let payment = document["payment"]?.stringValue.flatMap({ PaymentID($0) }),
                let amount = document["amount"]?.integerValue
            else { throw .unexpectedValue(column: "items") }
            items.append(Refund.Item(payment: payment, amount: amount))
        }
        return items
    }
}
