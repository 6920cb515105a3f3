/// What a merchant is owed, and why, over a time: the journal's postings about it, summed up.
///
/// A posting counts when it was posted, so a time that is over does not change any more.
///
/// - Invariant: the closing balance is the opening balance and all that moved it.
package struct Statement: Hashable, Sendable {
    /// Whose, in what currency, over what time.
    package let scope: StatementScope
    /// What was owed to the merchant as the time began, in minor units; below zero, the merchant owed it.
    package let opening: Int64
    /// What the time brought.
    package let amounts: StatementAmounts
    /// What is owed to the merchant as the time ends; below zero, the merchant owes it.
    package let closing: Int64

    /// Makes a statement of what was read, each by itself.
    ///
    /// - Throws: ``StatementMismatch`` if it does not add up.
    package init(
        _ scope: StatementScope,
        opening: Int64,
        amounts: StatementAmounts,
        closing: Int64
    ) throws(StatementMismatch) {
        try StatementMismatch.check(opening: opening, net: amounts.net, closing: closing)
        self.scope = scope
        self.opening = opening
        self.amounts = amounts
        self.closing = closing
    }
}
