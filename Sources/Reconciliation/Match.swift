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

/// The payment that an expectation is of, by all its names.
package struct PaymentOwner: Hashable, Sendable {
    /// The order.
    package let order: OrderID
    /// The payment.
    package let payment: PaymentID
    /// The attempt.
    package let attempt: AttemptID
    /// The merchant.
    package let merchant: MerchantID
}

/// What two sides that were matched share: the identifiers of most matches are never written out.
package enum SharedKey: Hashable, Sendable {
    /// Our attempt.
    case attempt(AttemptID)
    /// Our operation.
    case operation(OperationID)
    /// A name of the PSP's or the bank's, or an amount.
    case text(String)

    /// As people read it.
    package var text: String {
        switch self {
        case .attempt(let attempt): attempt.text
        case .operation(let operation): operation.text
        case .text(let text): text
        }
    }
}
