package import AdapterKit

/// A balance of an account.
package struct BankBalance: Hashable, Sendable {
    /// The line it begins in.
    package let line: Int
    /// Which balance it is.
    package let kind: BankBalanceKind
    /// Whether it is one between two pages of a statement: `:60M:`, `:62M:`, SubTp `INTM`.
    package let isIntermediate: Bool
    /// The balance: below zero if it is a debit.
    package let amount: SettlementAmount
    /// When it was so.
    package let date: SettlementDate?

    /// Makes a balance.
    package init(
        line: Int,
        kind: BankBalanceKind,
        isIntermediate: Bool = false,
        amount: SettlementAmount,
        date: SettlementDate?
    ) {
        self.line = line
        self.kind = kind
        self.isIntermediate = isIntermediate
        self.amount = amount
        self.date = date
    }
}
