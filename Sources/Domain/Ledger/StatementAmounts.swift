/// Amounts in minor units of one currency, by what they are.
package struct StatementAmounts: Hashable, Sendable {
    /// What moves the balance; what is not there is zero.
    package private(set) var balance: [StatementItem: Int64]
    /// What the PSP and the merchant have between them; what is not there is zero.
    package private(set) var direct: [DirectItem: Int64]

    /// Makes amounts; zeros are left out.
    package init(balance: [StatementItem: Int64] = [:], direct: [DirectItem: Int64] = [:]) {
        self.balance = balance.filter { $0.value != 0 }
        self.direct = direct.filter { $0.value != 0 }
    }

    /// What all of it does to the balance.
    package var net: Int64 { balance.values.reduce(0, +) }

    /// Adds others, item by item.
    package static func += (sum: inout StatementAmounts, other: StatementAmounts) {
        sum = StatementAmounts(
            balance: sum.balance.merging(other.balance, uniquingKeysWith: +),
            direct: sum.direct.merging(other.direct, uniquingKeysWith: +)
        )
    }
}

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
    /// Tips in it that the marketplace keeps.
    case tips
    /// Shipping in it that the marketplace keeps.
    case shipping
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
    /// The tips that it kept returned.
    case tipsReturned = "tips_returned"
    /// The shipping that it kept returned.
    case shippingReturned = "shipping_returned"
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
    /// Tips that the PSP kept for the marketplace, less what was returned.
    case tipsByPSP = "tips_by_psp"
    /// Shipping that the PSP kept for the marketplace, less what was returned.
    case shippingByPSP = "shipping_by_psp"
    /// The commission that the merchant is invoiced, less what was returned: the PSP paid it out.
    case commissionInvoiced = "commission_invoiced"
    /// The tax on it.
    case commissionTaxInvoiced = "commission_tax_invoiced"
    /// Withheld taxes that the merchant is invoiced.
    case taxesInvoiced = "taxes_invoiced"
}
