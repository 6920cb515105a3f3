/// A place where our own books break a rule that never breaks.
package struct LedgerFinding: Hashable, Sendable {
    /// What should always be so.
    package enum Rule: String, Sendable, CaseIterable {
        /// Every journal entry has postings.
        case entryHasPostings = "entry_has_postings"
        /// Postings are in their entry's currency and marketplace.
        case postingFitsEntry = "posting_fits_entry"
        /// An entry about a payment is about its merchant, and in its order's currency.
        case entryFitsPayment = "entry_fits_payment"
        /// The payments of an order come to what is payable.
        case orderIsItsPayments = "order_is_its_payments"
        /// Each authorization and each capture that succeeded is posted.
        case effectIsPosted = "effect_is_posted"
        /// A payout is posted with its amount, and posted back if and only if it failed.
        case payoutIsPosted = "payout_is_posted"
        /// The commission and the tax on it that are posted for an order are those of its frozen lines.
        case commissionIsFrozen = "commission_is_frozen"
        /// A merchant's whole statement closes at its payable account.
        case statementAddsUp = "statement_adds_up"
    }

    /// The rule that is broken.
    package let rule: Rule
    /// What breaks it: an identifier, or a merchant and a currency.
    package let subject: String

    /// Makes a finding.
    package init(_ rule: Rule, _ subject: String) {
        self.rule = rule
        self.subject = subject
    }
}
