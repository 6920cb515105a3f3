/// What a file says that a PSP did with our balance in one batch and currency, beside the effects that are posted
/// already: the sums that the journal takes of it.
package struct SettledBatch: Hashable, Sendable {
    /// The batch, as the PSP names it; empty for lines of none.
    package let batch: String
    /// The currency.
    package let currency: Currency
    /// What the PSP took for itself of lines whose fees the marketplace bears, or of no payment.
    package var fees = ExactSum()
    /// The same of lines of merchants that bear the fees themselves.
    package var merchantFees: [MerchantID: ExactSum] = [:]
    /// How payouts changed the balance: below zero, they went to the bank.
    package var payouts = ExactSum()
    /// How reserves changed it: below zero, they are held back.
    package var reserves = ExactSum()
    /// How adjustments, and lines of types that nobody knows, changed it.
    package var adjustments = ExactSum()
    /// What effects of another currency changed it by, less what effects of this one did that were settled in others.
    package var conversions = ExactSum()

    /// A batch in which nothing happened.
    package init(batch: String, currency: Currency) {
        self.batch = batch
        self.currency = currency
    }

    /// All fees, whoever bears them.
    package var allFees: ExactSum {
        var sum = fees
        for fee in merchantFees.values { sum += fee }
        return sum
    }
}
