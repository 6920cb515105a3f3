/// What the marketplace wants captured of an order.
package enum CaptureRequest: Hashable, Sendable {
    /// All that is held.
    case whole
    /// Amounts of payments.
    case items([Item])

    /// What is wanted of one payment.
    package struct Item: Hashable, Sendable {
        /// The payment.
        package let payment: PaymentID
        /// The amount in minor units; nil for all that is held.
        package let amount: Int64?
        /// Whether what it leaves of the hold is released.
        package let isFinal: Bool

        /// Makes an item.
        package init(payment: PaymentID, amount: Int64? = nil, isFinal: Bool = true) {
            self.payment = payment
            self.amount = amount
            self.isFinal = isFinal
        }
    }
}
