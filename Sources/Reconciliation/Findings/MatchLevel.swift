/// Which two sides a rule compares.
package enum MatchLevel: String, Hashable, Sendable, CaseIterable {
    /// Lines of a settlement report against expectations.
    case line
    /// Lines of commissions against what was frozen; no rule is about them: they follow the payment they name.
    case commission
    /// The lines of a batch against its payout line.
    case batch
    /// Payout lines against credits of the bank.
    case bank
    /// Recorded payouts to merchants against debits of the bank.
    case payout
}
