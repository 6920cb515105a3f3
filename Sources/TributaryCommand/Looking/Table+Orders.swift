import Domain

extension Table {
    /// A row for each order.
    init(orders: [Order]) {
        self.init(
            "id",
            "reference",
            "status",
            "decision",
            "currency",
            "amount",
            "authorized",
            "captured",
            "refunded",
            "merchants",
            "attention",
            "created_at"
        )
        for order in orders {
            let currency = order.amount.currency
            add(
                .text(order.id.text),
                .optional(order.reference),
                .text(order.status.rawValue),
                .text(order.decision.state.rawValue),
                .text(currency.code),
                .amount(order.amount.minorUnits, currency),
                .amount(order.authorized, currency),
                .amount(order.captured, currency),
                .amount(order.refunded, currency),
                .integer(Int64(order.payments.count)),
                .integer(Int64(order.attention.count)),
                .moment(order.createdAt)
            )
        }
    }
}
