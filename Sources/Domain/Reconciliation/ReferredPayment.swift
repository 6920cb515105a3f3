/// A payment that a reference found, whether or not it had an effect.
package struct ReferredPayment: Hashable, Sendable {
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
    /// The PSP that the attempt was routed to.
    package let psp: String
    /// The PSP account.
    package let pspAccount: String
    /// The merchant's account below it.
    package let merchantAccount: String?
    /// The order's currency.
    package let currency: Currency
    /// What the payment is for, in minor units.
    package let amount: Int64
    /// Where the payment stands, by the word of the API.
    package let status: String
    /// The PSP's name of the payment.
    package let paymentReference: String?

    /// Makes a payment.
    package init(
        reference: String,
        order: OrderID,
        payment: PaymentID,
        attempt: AttemptID,
        merchant: MerchantID,
        psp: String,
        pspAccount: String,
        merchantAccount: String?,
        currency: Currency,
        amount: Int64,
        status: String,
        paymentReference: String?
    ) {
        self.reference = reference
        self.order = order
        self.payment = payment
        self.attempt = attempt
        self.merchant = merchant
        self.psp = psp
        self.pspAccount = pspAccount
        self.merchantAccount = merchantAccount
        self.currency = currency
        self.amount = amount
        self.status = status
        self.paymentReference = paymentReference
    }
}
