package import Domain

/// An attempt of ours that a line is about, whatever became of it.
package struct KnownPayment: Hashable, Sendable {
    /// An effect that our books have of it, confirmed by a line or not.
    package struct Effect: Hashable, Sendable {
        /// What moved.
        package var kind: Expectation.Kind
        /// The currency.
        package var currency: Currency
        /// In minor units, as ``Domain/Expectation/amount``.
        package var amount: Int64
        /// The frozen commission, as ``Domain/Expectation/commission``.
        package var commission: Int64?
        /// Whether a line of an earlier reconciliation confirmed it.
        package var isMatched: Bool
        /// When it was posted.
        package var at: Timestamp

        /// Makes an effect.
        package init(
            kind: Expectation.Kind,
            currency: Currency,
            amount: Int64,
            commission: Int64?,
            isMatched: Bool,
            at: Timestamp
        ) {
            self.kind = kind
            self.currency = currency
            self.amount = amount
            self.commission = commission
            self.isMatched = isMatched
            self.at = at
        }
    }

    /// The order.
    package var order: OrderID
    /// The payment.
    package var payment: PaymentID
    /// The attempt.
    package var attempt: AttemptID
    /// The merchant.
    package var merchant: MerchantID
    /// What became of it, in our word: `voided`, `declined`, `captured`.
    package var state: String
    /// What it did to the balance at the PSP.
    package var effects: [Effect]

    /// Makes a payment.
    package init(
        order: OrderID,
        payment: PaymentID,
        attempt: AttemptID,
        merchant: MerchantID,
        state: String,
        effects: [Effect]
    ) {
        self.order = order
        self.payment = payment
        self.attempt = attempt
        self.merchant = merchant
        self.state = state
        self.effects = effects
    }
}
