/// One movement of money at a PSP that our books have, and that a settlement line has to confirm.
package struct Expectation: Hashable, Sendable {
    /// What had the effect; an expectation is met once.
    package enum Subject: Hashable, Sendable {
        /// A capture, a sale in one call, or a refund.
        case operation(OperationID)
        /// What the buyer's bank took.
        case chargeback(DisputeID)
        /// What the buyer's bank gave back.
        case chargebackReversal(DisputeID)
    }

    /// What moved.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// Money taken from a buyer.
        case payment
        /// Money given back to a buyer.
        case refund
        /// Money that the buyer's bank took.
        case chargeback
        /// Money that the buyer's bank gave back.
        case chargebackReversal = "chargeback_reversal"
    }

    /// What had the effect.
    package var subject: Subject
    /// What moved.
    package var kind: Kind
    /// The order.
    package var order: OrderID
    /// The payment.
    package var payment: PaymentID
    /// The attempt; its text is the reference that the PSP was given.
    package var attempt: AttemptID
    /// The merchant.
    package var merchant: MerchantID
    /// The PSP.
    package var psp: String
    /// The PSP account.
    package var pspAccount: String
    /// The merchant's account below it, as the route was frozen.
    package var merchantAccount: String?
    /// The currency of the order.
    package var currency: Currency
    /// In minor units of ISO 4217, as it changes the balance at the PSP: above zero for payments and chargeback
    /// reversals, below for refunds and chargebacks.
    package var amount: Int64
    /// The commission and tax on it that the PSP was told to keep for us, signed like ``amount``; nil if it was not told.
    package var commission: Int64?
    /// The PSP's name of the payment.
    package var paymentReference: String?
    /// The PSP's name of the capture, refund or dispute.
    package var objectReference: String?
    /// When the effect was posted.
    package var at: Timestamp
    /// Whether it is a capture that was voided before it settled, or that void: a PSP may report both or neither.
    package var isVoided: Bool

    /// Makes an expectation.
    package init(
        subject: Subject,
        kind: Kind,
        order: OrderID,
        payment: PaymentID,
        attempt: AttemptID,
        merchant: MerchantID,
        psp: String,
        pspAccount: String,
        merchantAccount: String?,
        currency: Currency,
        amount: Int64,
        commission: Int64?,
        paymentReference: String?,
        objectReference: String?,
        at: Timestamp,
        isVoided: Bool = false
    ) {
        self.subject = subject
        self.kind = kind
        self.order = order
        self.payment = payment
        self.attempt = attempt
        self.merchant = merchant
        self.psp = psp
        self.pspAccount = pspAccount
        self.merchantAccount = merchantAccount
        self.currency = currency
        self.amount = amount
        self.commission = commission
        self.paymentReference = paymentReference
        self.objectReference = objectReference
        self.at = at
        self.isVoided = isVoided
    }
}
