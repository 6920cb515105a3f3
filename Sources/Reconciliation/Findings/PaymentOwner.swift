package import Domain

/// The payment that an expectation is of, by all its names.
package struct PaymentOwner: Hashable, Sendable {
    /// The order.
    package let order: OrderID
    /// The payment.
    package let payment: PaymentID
    /// The attempt.
    package let attempt: AttemptID
    /// The merchant.
    package let merchant: MerchantID
}
