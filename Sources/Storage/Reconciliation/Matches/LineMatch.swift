package import Domain

/// What a settlement line is about: a payment, and mostly an effect of it that the line confirms.
package struct LineMatch: Hashable, Sendable {
    /// The line.
    package let line: ImportPlace
    /// Which of the line's matches it is, from 0; a line that confirms several effects has one for each.
    package let position: Int
    /// The rule that found it.
    package let rule: String
    /// Whether they agree.
    ///
    /// If not, the effect is met wrongly: there is a break, and it is not expected any more.
    package let isExact: Bool
    /// The effect; nil for a line that merely belongs to the payment, as fees and commissions do.
    package let subject: Expectation.Subject?
    /// The order.
    package let order: OrderID
    /// The payment.
    package let payment: PaymentID
    /// The attempt.
    package let attempt: AttemptID
    /// The merchant.
    package let merchant: MerchantID

    /// Makes a match.
    package init(
        line: ImportPlace,
        position: Int = 0,
        rule: String,
        isExact: Bool = true,
        subject: Expectation.Subject?,
        order: OrderID,
        payment: PaymentID,
        attempt: AttemptID,
        merchant: MerchantID
    ) {
        self.line = line
        self.position = position
        self.rule = rule
        self.isExact = isExact
        self.subject = subject
        self.order = order
        self.payment = payment
        self.attempt = attempt
        self.merchant = merchant
    }

    /// Makes the match of a line with an expectation.
    package init(
        line: ImportPlace,
        position: Int = 0,
        rule: String,
        isExact: Bool = true,
        with expectation: Expectation
    ) {
        self.init(
            line: line,
            position: position,
            rule: rule,
            isExact: isExact,
            subject: expectation.subject,
            order: expectation.order,
            payment: expectation.payment,
            attempt: expectation.attempt,
            merchant: expectation.merchant
        )
    }
}
