/// The rules that hold where a marketplace has none of its own.
extension ReconciliationRules {
    /// By our own names first, then by the PSP's, then by text, and at last by amount and date.
    ///
    /// Stripe and Braintree name the merchant's account in the column of the account; the others below it.
    package static let standard = ReconciliationRules(checked: standardRules, standardTerms)

    private static let standardRules: [ReconciliationRule] = [
        ReconciliationRule(checked: "our-attempt", .line, .attempt, .manyToMany),
        ReconciliationRule(checked: "our-operation", .line, .operation, .manyToMany),
        ReconciliationRule(checked: "psp-object", .line, .objectReference, .manyToMany),
        ReconciliationRule(checked: "psp-payment", .line, .paymentReference, .manyToMany),
        ReconciliationRule(checked: "our-reference", .line, .reference, .manyToMany),
        ReconciliationRule(checked: "amount-and-date", .line, .amountAndDate(windowDays: 3), .oneToOne),
        ReconciliationRule(checked: "batch-sum", .batch, .batch, .manyToOne),
        ReconciliationRule(checked: "bank-reference", .bank, .payoutReference, .oneToMany),
        ReconciliationRule(checked: "bank-amount-and-date", .bank, .amountAndDate(windowDays: 5), .oneToMany),
        ReconciliationRule(checked: "payout-reference", .payout, .payoutReference, .oneToOne),
        ReconciliationRule(checked: "payout-amount-and-date", .payout, .amountAndDate(windowDays: 5), .oneToOne),
    ]

    private static let standardTerms: [Terms] = ["braintree", "stripe"].map { psp in
        var terms = PSPTerms()
        terms.merchantField = .account
        return Terms(psp: psp, terms)
    }
}
