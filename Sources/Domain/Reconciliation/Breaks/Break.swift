/// A difference between a file and our books that a rule or a person must explain.
///
/// It is the same break, with the same ``key``, however often the same inputs are reconciled.
package struct Break: Hashable, Sendable {
    /// How they differ.
    package var type: BreakType
    /// What makes it this break and no other: its type and what it is about, never a time or a random number.
    package var key: String
    /// The currency of ``amount``; nil for a row that cannot be read.
    package var currency: Currency?
    /// What is at stake, in minor units: theirs less ours where both are there, else the one that is there as it
    /// changes the balance at the PSP or bank.
    ///
    /// Of a batch, what it paid out less what its lines come to; of a payout, what arrived at the bank less what was
    /// paid out, all of it if nothing arrived. Zero for what is no matter of money.
    package var amount: Int64
    /// The day it is aged from, `YYYY-MM-DD`; nil if neither side has one.
    package var day: String?
    /// The PSP.
    package var psp: String?
    /// The PSP account.
    package var pspAccount: String?
    /// The merchant.
    package var merchant: MerchantID?
    /// The order.
    package var order: OrderID?
    /// The payment.
    package var payment: PaymentID?
    /// The expectation it leaves unmet or met wrongly, if it is about one.
    package var subject: Expectation.Subject?
    /// The lines it is about, in order; at most the first hundred.
    package var lines: [LinePlace]
    /// What differs, in a sentence with both figures.
    package var explanation: String
    /// What would fix it, in a sentence.
    package var suggestion: String

    /// Makes a break.
    package init(
        type: BreakType,
        key: String,
        currency: Currency?,
        amount: Int64,
        day: String?,
        psp: String? = nil,
        pspAccount: String? = nil,
        merchant: MerchantID? = nil,
        order: OrderID? = nil,
        payment: PaymentID? = nil,
        subject: Expectation.Subject? = nil,
        lines: [LinePlace] = [],
        explanation: String,
        suggestion: String
    ) {
        self.type = type
        self.key = key
        self.currency = currency
        self.amount = amount
        self.day = day
        self.psp = psp
        self.pspAccount = pspAccount
        self.merchant = merchant
        self.order = order
        self.payment = payment
        self.subject = subject
        self.lines = lines
        self.explanation = explanation
        self.suggestion = suggestion
    }
}
