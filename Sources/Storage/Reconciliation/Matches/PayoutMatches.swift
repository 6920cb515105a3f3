package import Domain

/// A batch of an import whose lines come to what a payout line says.
package struct BatchMatch: Hashable, Sendable {
    /// The import that the batch's lines are in.
    package let file: ImportID
    /// The batch, as the PSP names it.
    package let batch: String
    /// The payout line.
    package let payout: ImportPlace
    /// The rule that found it.
    package let rule: String

    /// Makes a match.
    package init(file: ImportID, batch: String, payout: ImportPlace, rule: String) {
        self.file = file
        self.batch = batch
        self.payout = payout
        self.rule = rule
    }
}

/// A bank entry that a payout explains.
package struct BankMatch: Hashable, Sendable {
    /// What was paid out.
    package enum Payout: Hashable, Sendable {
        /// By a PSP to us, as a settlement line says.
        case line(ImportPlace)
        /// By us to a merchant, as it was recorded.
        case recorded(PayoutID)
    }

    /// The bank entry.
    package let entry: ImportPlace
    /// Which of the entry's payouts it is, from 0.
    package let position: Int
    /// What was paid out.
    package let payout: Payout
    /// The rule that found it.
    package let rule: String

    /// Makes a match.
    package init(entry: ImportPlace, position: Int = 0, payout: Payout, rule: String) {
        self.entry = entry
        self.position = position
        self.payout = payout
        self.rule = rule
    }
}
