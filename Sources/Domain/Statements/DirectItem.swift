/// What passes between a PSP and a merchant that it pays directly.
///
/// None of it is owed by the marketplace or in its hands, so none of it is in the balance. Signs are the merchant's.
package enum DirectItem: String, Sendable, CaseIterable {
    /// What was captured from buyers.
    case gross
    /// What went back to buyers.
    case refunds
    /// What buyers' banks took back.
    case chargebacks
    /// What they gave back again.
    case chargebackReversals = "chargeback_reversals"
    /// The commission that the PSP kept for the marketplace, less what was returned.
    case commissionByPSP = "commission_by_psp"
    /// The tax on it.
    case commissionTaxByPSP = "commission_tax_by_psp"
    /// Withheld taxes that the PSP kept for the marketplace.
    case taxesByPSP = "taxes_by_psp"
    /// The commission that the merchant is invoiced, less what was returned: the PSP paid it out.
    case commissionInvoiced = "commission_invoiced"
    /// The tax on it.
    case commissionTaxInvoiced = "commission_tax_invoiced"
    /// Withheld taxes that the merchant is invoiced.
    case taxesInvoiced = "taxes_invoiced"
}
