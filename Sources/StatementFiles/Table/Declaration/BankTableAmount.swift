/// How a bank's table tells an entry's amount and its direction.
package enum BankTableAmount: Hashable, Sendable {
    /// One column whose amounts below zero are debits.
    case signed(BankTableColumn)
    /// One column without a sign, and one that says the direction by one of these words, which count without regard to
    /// case.
    case indicated(BankTableColumn, indicator: BankTableColumn, credit: Set<String>, debit: Set<String>)
    /// One column for credits and one for debits, of which exactly one is filled, or the other is zero.
    case columns(credit: BankTableColumn, debit: BankTableColumn)
}
