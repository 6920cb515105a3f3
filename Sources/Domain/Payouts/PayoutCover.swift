/// What a payout pays for: what moved the balance of its merchant, in its currency, since the payout before.
///
/// The payout before is within, because it was posted at the first moment; this payout is not, because it is posted at
/// the first moment behind.
package struct PayoutCover: Hashable, Sendable {
    /// How many lines are told one by one at most; a statement of the same time has the others.
    package static let lineLimit = 100

    /// Whose, in what currency, over what time.
    package let scope: StatementScope
    /// What was owed to the merchant as the payout before was told, in minor units; below zero, the merchant owed it.
    package let opening: Int64
    /// What was posted with a time before that, and stored only afterwards, so that no payout was told with it.
    package let postedLate: Int64
    /// What the time brought, item by item; what is not there is zero.
    package let balance: [StatementItem: Int64]
    /// The entries that moved what is owed, in the order of posting: the first of them, up to ``lineLimit``.
    package let lines: [StatementLine]
    /// How many such entries there are, those included that are not among ``lines``.
    package let lineCount: Int64

    /// Makes a cover of what was read.
    package init(
        _ scope: StatementScope,
        opening: Int64,
        postedLate: Int64,
        balance: [StatementItem: Int64],
        lines: [StatementLine],
        lineCount: Int64
    ) {
        self.scope = scope
        self.opening = opening
        self.postedLate = postedLate
        self.balance = balance
        self.lines = lines
        self.lineCount = lineCount
    }

    /// What is owed to the merchant just before this payout.
    package var closing: Int64 { balance.values.reduce(opening + postedLate, +) }
}
