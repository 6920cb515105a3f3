package import AdapterKit

/// What a bank took for an entry or a transaction.
package struct BankCharge: Hashable, Sendable {
    /// The amount: not below zero.
    package let amount: SettlementAmount
    /// Whether it was taken (debit) or given back (credit); nil if the file does not say.
    package let creditDebit: CreditDebit?
    /// Whether the amount of the entry already has it taken off; nil if the file does not say.
    package let isIncluded: Bool?
    /// The bank's code for it.
    package let type: String?

    /// Makes a charge.
    package init(amount: SettlementAmount, creditDebit: CreditDebit?, isIncluded: Bool?, type: String?) {
        self.amount = amount
        self.creditDebit = creditDebit
        self.isIncluded = isIncluded
        self.type = type
    }
}
