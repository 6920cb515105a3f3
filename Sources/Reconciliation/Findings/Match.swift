package import AdapterKit
package import Domain

/// Two sides that agree, and why they belong together.
package struct Match: Hashable, Sendable {
    /// The rule that matched them.
    package var rule: String
    /// Which sides they are.
    package var level: MatchLevel
    /// By what the rule matched them: ``RuleKey/name``.
    package var by: String
    /// What they share of it.
    package var key: SharedKey
    /// The PSP account; nil for what only the bank and we know.
    package var account: PSPAccountName?
    /// The report's lines: at the level of a batch, and of the bank, the payout lines.
    package var lines: [LinePlace] = []
    /// The expectations that are met.
    package var subjects: [Expectation.Subject] = []
    /// Whose they are, one for each of ``subjects``.
    package var owners: [PaymentOwner] = []
    /// The recorded payouts that are confirmed.
    package var payouts: [PayoutID] = []
    /// The bank's entries.
    package var entries: [LinePlace] = []
    /// The batch.
    package var batch: String?
    /// What the PSP says, or the bank where it is asked.
    package var theirs: SettlementAmount
    /// What we say, or the PSP where the bank is asked.
    package var ours: SettlementAmount

    /// What they share of it as people read it: an identifier, an amount.
    package var shared: String { key.text }

    /// The rule, the key and both figures, in a sentence.
    package var explanation: String {
        "The rule \(rule) matched \(theirs) of theirs to \(ours) of ours by \(by) \(shared)."
    }
}
