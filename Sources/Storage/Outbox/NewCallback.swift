package import Domain

/// A callback as it is written down, in the transaction whose state it tells.
package struct NewCallback: Hashable, Sendable {
    /// Its identifier, which every try to deliver it carries.
    package let id: CallbackID
    /// The marketplace.
    package let marketplace: String
    /// Whose endpoint it is for; nil for the marketplace's own.
    package let merchant: MerchantID?
    /// The order it is about, if it is about one.
    package let order: OrderID?
    /// The payment it is about, if it is about one.
    package let payment: PaymentID?
    /// What it tells, for example `payment.captured`.
    package let type: String
    /// Its number among what the same endpoint is told of the same subject, from 1 without gaps.
    ///
    /// The subject is an order for the marketplace, a payment for its merchant, and for both of them all payouts of a
    /// merchant in a currency.
    package let sequence: Int64
    /// The body, as it is signed and sent.
    package let payload: String
    /// When it was written down.
    package let at: Timestamp

    /// Makes a callback.
    package init(
        id: CallbackID,
        marketplace: String,
        merchant: MerchantID?,
        order: OrderID?,
        payment: PaymentID?,
        type: String,
        sequence: Int64,
        payload: String,
        at: Timestamp
    ) {
        self.id = id
        self.marketplace = marketplace
        self.merchant = merchant
        self.order = order
        self.payment = payment
        self.type = type
        self.sequence = sequence
        self.payload = payload
        self.at = at
    }
}
