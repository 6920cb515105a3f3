package import Domain
package import StrictJSON

/// Orders, payments and payouts as the API shows them, in answers and in callbacks.
package struct Presentation: Sendable {
    /// Writes an order as the checkout's final answer.
    package var answer: @Sendable (Order) -> [UInt8]
    /// Writes an order.
    package var order: @Sendable (Order) -> JSON
    /// Writes a payment, with the name of its order.
    package var payment: @Sendable (Payment, Order) -> JSON
    /// Writes what a payout pays for.
    package var cover: @Sendable (PayoutBreakdown) -> JSON
    /// Writes a payout, with its merchant's external identifier and what it pays for.
    package var payout: @Sendable (Payout, _ name: String, _ covers: JSON) -> JSON

    /// Gathers the writers.
    package init(
        answer: @escaping @Sendable (Order) -> [UInt8],
        order: @escaping @Sendable (Order) -> JSON,
        payment: @escaping @Sendable (Payment, Order) -> JSON,
        cover: @escaping @Sendable (PayoutBreakdown) -> JSON,
        payout: @escaping @Sendable (Payout, _ name: String, _ covers: JSON) -> JSON
    ) {
        self.answer = answer
        self.order = order
        self.payment = payment
        self.cover = cover
        self.payout = payout
    }
}
