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

extension ExpectationRecord {
    /// Whose it is; nil never, for it was written from identifiers.
    var owner: PaymentOwner? {
        guard let order = text(order).flatMap({ OrderID($0) }), let payment = text(payment).flatMap({ PaymentID($0) }),
            let attempt = text(attempt).flatMap({ AttemptID($0) }),
            let merchant = text(merchant).flatMap({ MerchantID($0) })
        else { return nil }
        return PaymentOwner(order: order, payment: payment, attempt: attempt, merchant: merchant)
    }
}
