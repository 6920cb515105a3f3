package import Domain
package import StrictJSON

/// Orders and payments as the API shows them, in answers and in callbacks.
package struct Presentation: Sendable {
    /// Writes an order as the checkout's final answer.
    package var answer: @Sendable (Order) -> [UInt8]
    /// Writes an order.
    package var order: @Sendable (Order) -> JSON
    /// Writes a payment, with the name of its order.
    package var payment: @Sendable (Payment, Order) -> JSON

    /// Gathers the writers.
    package init(
        answer: @escaping @Sendable (Order) -> [UInt8],
        order: @escaping @Sendable (Order) -> JSON,
        payment: @escaping @Sendable (Payment, Order) -> JSON
    ) {
        self.answer = answer
        self.order = order
        self.payment = payment
    }
}
