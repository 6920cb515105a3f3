/// What moves a merchant's balance, as a statement sums it up.
///
/// Amounts have the sign that they have for the merchant: what it gets is above zero, what it gives below.
package enum StatementItem: String, Sendable, CaseIterable {
    /// What was captured from buyers, before anything is taken off.
    case gross
    /// The marketplace's commission on it.
    case commission
    /// Tax on the commission.
    case commissionTax = "commission_tax"
    /// Taxes withheld for an authority.
    case taxes
    /// What PSPs charge, where the merchant bears that; posted when their settlement files are taken in, for a dispute
    /// once that is known.
    case pspFees = "psp_fees"
    /// What went back to buyers, before anything is returned.
    case refunds
    /// The commission returned with it.
    case commissionReturned = "commission_returned"
    /// The tax on it returned.
    case commissionTaxReturned = "commission_tax_returned"
    /// The withheld taxes returned.
    case taxesReturned = "taxes_returned"
    /// What the marketplace gave back in the merchant's stead, or bears of disputes.
    case borneByMarketplace = "borne_by_marketplace"
    /// What buyers' banks took back.
    case chargebacks
    /// What they gave back again.
    case chargebackReversals = "chargeback_reversals"
    /// What the merchant was paid.
    case payouts
    /// What of it failed after all, and is owed again.
    case payoutReversals = "payout_reversals"
    /// Whatever else moved the balance.
    case adjustments
}
