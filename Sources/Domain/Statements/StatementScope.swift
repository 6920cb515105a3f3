/// Whose statement, in what currency, over what time.
package struct StatementScope: Hashable, Sendable {
    /// The marketplace.
    package let marketplace: String
    /// The merchant.
    package let merchant: MerchantID
    /// The currency.
    package let currency: Currency
    /// The first moment.
    package let from: Timestamp
    /// The first moment that is not in it any more.
    package let to: Timestamp

    /// Makes a scope; nil if no moment is in it.
    package init?(marketplace: String, merchant: MerchantID, currency: Currency, from: Timestamp, to: Timestamp) {
        guard from < to else { return nil }
        self.marketplace = marketplace
        self.merchant = merchant
        self.currency = currency
        self.from = from
        self.to = to
    }
}
