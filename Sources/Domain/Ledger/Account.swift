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
    /// Noted, no claim of ours: what a PSP account pays merchants directly.
    case direct(pspAccount: String)
    /// Noted, no debt of ours: the merchant's side of what a PSP pays it directly.
    case directTo(merchant: MerchantID)
    /// Held back by the PSP.
    case reserve(pspAccount: String)
    /// The marketplace's expense for what a PSP account charges.
    case pspFees(pspAccount: String)
    /// What a PSP account did that nobody has explained yet, and what was forced; should come to zero.
    case suspense(pspAccount: String)
    /// Sold in one currency and settled in another; its balances in all currencies are worth nothing together, but for
    /// what the PSP's rate is off.
    case conversion(pspAccount: String)
    /// Differences that the marketplace accepted: below zero they were in its favour.
    case differences
    /// Settled cash of the marketplace, out of which merchants are paid.
    case bank
    /// Owed to the merchant. May go below zero: then the merchant owes.
    case payable(merchant: MerchantID)
    /// Owed by the merchant for invoiced commission.
    case receivable(merchant: MerchantID)
    /// What the marketplace gave back to buyers in the merchants' stead.
    case refundsBorne
    /// What buyers' banks took that the marketplace bears, and what PSPs took for it directly from merchants.
    case disputesBorne
    /// The marketplace's commission revenue.
    case commission
    /// Tax on the commission.
    case commissionTax
    /// Taxes withheld for an authority.
    case tax(party: String)
    /// Tips that the marketplace keeps.
    case tips
    /// Shipping that the marketplace is paid for.
    case shipping

    /// The path, for example `psp/stripe-main/clearing`.
    package var path: String {
        switch self {
        case .held(let account): "memo/psp/\(account)/held"
        case .heldFor(let merchant): "memo/merchant/\(merchant.text)/held"
        case .clearing(let account): "psp/\(account)/clearing"
        case .direct(let account): "direct/psp/\(account)"
        case .directTo(let merchant): "direct/merchant/\(merchant.text)"
        case .reserve(let account): "psp/\(account)/reserve"
        case .pspFees(let account): "expense/psp_fee/\(account)"
        case .suspense(let account): "suspense/\(account)"
        case .conversion(let account): "fx/\(account)"
        case .differences: "marketplace/reconciliation_differences"
        case .bank: "marketplace/bank"
        case .payable(let merchant): "merchant/\(merchant.text)/payable"
        case .receivable(let merchant): "merchant/\(merchant.text)/receivable"
        case .refundsBorne: "marketplace/refunds_borne"
        case .disputesBorne: "marketplace/disputes_borne"
        case .commission: "marketplace/commission"
        case .commissionTax: "marketplace/commission_tax"
        case .tax(let party): "tax/\(party)"
        case .tips: "marketplace/tips"
        case .shipping: "marketplace/shipping"
        }
    }

    /// The account with this path; nil if no account has it.
    package init?(path: String) {
        let steps = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard let found = Self.fixed(steps) ?? Self.merchants(steps) ?? Self.named(path), found.path == path else {
            return nil
        }
        self = found
    }

    private static func fixed(_ steps: [String]) -> Account? {
        switch steps {
        case ["marketplace", "bank"]: .bank
        case ["marketplace", "reconciliation_differences"]: .differences
        case ["marketplace", "refunds_borne"]: .refundsBorne
        case ["marketplace", "disputes_borne"]: .disputesBorne
        case ["marketplace", "commission"]: .commission
        case ["marketplace", "commission_tax"]: .commissionTax
        case ["marketplace", "tips"]: .tips
        case ["marketplace", "shipping"]: .shipping
        default: nil
        }
    }

    private static func merchants(_ steps: [String]) -> Account? {
        guard let position = steps.firstIndex(of: "merchant"), steps.count > position + 1,
            let merchant = MerchantID(steps[position + 1])
        else { return nil }
        switch (steps.first, steps.last) {
        case ("memo", "held"): return .heldFor(merchant: merchant)
        case ("direct", _): return .directTo(merchant: merchant)
        case (_, "payable"): return .payable(merchant: merchant)
        case (_, "receivable"): return .receivable(merchant: merchant)
        default: return nil
        }
    }

    /// Names are whatever the configuration says; they may have slashes of their own.
    private static func named(_ path: String) -> Account? {
        if let name = name(in: path, "memo/psp/", "/held") { return .held(pspAccount: name) }
        if let name = name(in: path, "psp/", "/clearing") { return .clearing(pspAccount: name) }
        if let name = name(in: path, "psp/", "/reserve") { return .reserve(pspAccount: name) }
        if let name = name(in: path, "expense/psp_fee/", "") { return .pspFees(pspAccount: name) }
        if let name = name(in: path, "suspense/", "") { return .suspense(pspAccount: name) }
        if let name = name(in: path, "fx/", "") { return .conversion(pspAccount: name) }
        if let name = name(in: path, "direct/psp/", "") { return .direct(pspAccount: name) }
        if let name = name(in: path, "tax/", "") { return .tax(party: name) }
        return nil
    }

    private static func name(in path: String, _ prefix: String, _ suffix: String) -> String? {
        guard path.hasPrefix(prefix), path.hasSuffix(suffix), path.count > prefix.count + suffix.count else {
            return nil
        }
        return String(path.dropFirst(prefix.count).dropLast(suffix.count))
    }
}
