/// An account of the journal, named by a path.
///
/// Its balance is the sum of its postings, debits less credits.
package enum Account: Hashable, Sendable {
    /// Memo: held on cards at a PSP account.
    case held(pspAccount: String)
    /// Memo: the merchant's side of what is held.
    case heldFor(merchant: MerchantID)
    /// Captured and not yet paid out by the PSP.
    case clearing(pspAccount: String)
    /// Owed to the merchant. May go below zero: then the merchant owes.
    case payable(merchant: MerchantID)
    /// Owed by the merchant for invoiced commission.
    case receivable(merchant: MerchantID)
    /// What the marketplace gave back to buyers in the merchants' stead.
    case refundsBorne
    /// The marketplace's commission revenue.
    case commission
    /// Tax on the commission.
    case commissionTax
    /// Taxes withheld for an authority.
    case tax(party: String)

    /// The path, for example `psp/stripe-main/clearing`.
    package var path: String {
        switch self {
        case .held(let account): "memo/psp/\(account)/held"
        case .heldFor(let merchant): "memo/merchant/\(merchant.text)/held"
        case .clearing(let account): "psp/\(account)/clearing"
        case .payable(let merchant): "merchant/\(merchant.text)/payable"
        case .receivable(let merchant): "merchant/\(merchant.text)/receivable"
        case .refundsBorne: "marketplace/refunds_borne"
        case .commission: "marketplace/commission"
        case .commissionTax: "marketplace/commission_tax"
        case .tax(let party): "tax/\(party)"
        }
    }
}
