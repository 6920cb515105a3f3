/// A payment of ours that a line of a file may be about, whether or not it had an effect.
package struct PaymentMatchCandidate: Hashable, Sendable {
    /// An effect that our books have of it, confirmed by a line or not.
    package struct Effect: Hashable, Sendable {
        /// What moved.
        package var kind: Expectation.Kind
        /// The currency.
        package var currency: Currency
        /// In minor units, as ``Expectation/amount``.
        package var amount: Int64
        /// The frozen commission, as ``Expectation/commission``.
        package var commission: Int64?
        /// Whether a line of an earlier reconciliation confirmed it.
        package var isMatched: Bool
        /// When it was posted.
        package var at: Timestamp
        /// The operation that had it; nil for what a dispute moved.
        package var operation: OperationID?
        /// The PSP's name of what had it, as ``Expectation/objectReference``.
        package var objectReference: String?

        /// Makes an effect.
        package init(
            kind: Expectation.Kind,
            currency: Currency,
            amount: Int64,
            commission: Int64?,
            isMatched: Bool,
            at: Timestamp,
            operation: OperationID? = nil,
            objectReference: String? = nil
        ) {
            self.kind = kind
            self.currency = currency
            self.amount = amount
            self.commission = commission
            self.isMatched = isMatched
            self.at = at
            self.operation = operation
            self.objectReference = objectReference
        }
    }

    /// The reference that found it, as it was asked for.
    package let reference: String
    /// The order.
    package let order: OrderID
    /// The payment.
    package let payment: PaymentID
    /// The attempt.
    package let attempt: AttemptID
    /// The merchant.
    package let merchant: MerchantID
    /// The PSP account that the attempt was routed to.
    package let pspAccount: String
    /// Where the payment stands, by the word of the API: `voided`, `declined`, `captured`.
    package let status: String
    /// What it did to the balance at the PSP; empty until its order is read.
    package var effects: [Effect]

    /// Makes a candidate.
    package init(
        reference: String,
        order: OrderID,
        payment: PaymentID,
        attempt: AttemptID,
        merchant: MerchantID,
        pspAccount: String,
        status: String,
        effects: [Effect] = []
    ) {
        self.reference = reference
        self.order = order
        self.payment = payment
        self.attempt = attempt
        self.merchant = merchant
        self.pspAccount = pspAccount
        self.status = status
        self.effects = effects
    }
}
