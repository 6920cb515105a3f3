/// The part of an order that belongs to one merchant, as Apple's `PKPaymentTokenContext` names it.
package struct TokenContext: Hashable, Sendable {
    /// The merchant's stable identifier, the same for the same merchant across time (Apple's rule).
    package let externalIdentifier: String
    /// The amount to authorize for this merchant.
    package let amount: Money

    /// Makes a context.
    package init(externalIdentifier: String, amount: Money) {
        self.externalIdentifier = externalIdentifier
        self.amount = amount
    }
}
