package import Domain

/// What a rule is about; a condition that is nil admits everything.
package struct RuleScope: Hashable, Sendable {
    /// The PSP's name.
    package var psp: String?
    /// The PSP account's name.
    package var pspAccount: String?
    /// The currency of ours.
    package var currency: Currency?
    /// What moved.
    package var kind: Expectation.Kind?

    /// Makes a scope.
    package init(
        psp: String? = nil,
        pspAccount: String? = nil,
        currency: Currency? = nil,
        kind: Expectation.Kind? = nil
    ) {
        self.psp = psp
        self.pspAccount = pspAccount
        self.currency = currency
        self.kind = kind
    }

    /// Whether nothing is left out.
    var isUniversal: Bool { psp == nil && pspAccount == nil && currency == nil && kind == nil }

    /// Whether it is about an account.
    func admits(_ account: PSPAccountName) -> Bool {
        (psp == nil || psp == account.psp) && (pspAccount == nil || pspAccount == account.account)
    }

    /// Whether it is about an account's money in a currency, by the currency's numeric code.
    func admits(_ account: PSPAccountName, _ code: UInt16) -> Bool {
        admits(account) && (currency.map { $0.numericCode == Int(code) } ?? true)
    }
}
