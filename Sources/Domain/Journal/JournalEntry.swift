/// A double-entry record of one effect at a PSP, or of one payout, posted exactly once.
package struct JournalEntry: Hashable, Sendable {
    /// What it records.
    package enum Kind: String, Sendable {
        /// A hold; memo accounts only.
        case authorization
        /// Money taken.
        case capture
        /// A hold given up; memo accounts only.
        case release
        /// Money given back.
        case refund
        /// An earlier entry undone, because what it recorded failed after all.
        case reversal
        /// An amount put right that we had concluded, once the PSP named it.
        case correction
        /// Money that the buyer's bank took back.
        case chargeback
        /// Money that the buyer's bank gave back to us.
        case chargebackReversal = "chargeback_reversal"
        /// What a merchant was owed, paid out to it.
        case payout
        /// A payout that failed after all.
        case payoutReversal = "payout_reversal"
    }

    /// Its identifier.
    package let id: EntryID
    /// What it records.
    package let kind: Kind
    /// The merchant it is about.
    package let merchant: MerchantID
    /// The payment it is about; nil for a payout.
    package let payment: PaymentID?
    /// The operation that had the effect; with the kind, unique.
    ///
    /// Nil for a dispute and a payout.
    package let operation: OperationID?
    /// The dispute that had the effect; nil for an operation and a payout.
    package let dispute: DisputeID?
    /// The payout; nil for what happens to a payment.
    ///
    /// With the kind, unique.
    package let payout: PayoutID?
    /// When it was posted.
    package let at: Timestamp
    /// Its postings; each moves one amount from one account to another, so an entry cannot be out of balance.
    package let postings: [Posting]
}

/// One amount that moves from one account to another.
///
/// - Invariant: the amount is above zero and the accounts differ.
package struct Posting: Hashable, Sendable {
    /// The account debited.
    package let debit: Account
    /// The account credited.
    package let credit: Account
    /// The amount in minor units of the entry's currency, above zero.
    package let amount: Int64

    /// Makes a posting from a signed amount: below zero it goes the other way; zero, or one account, makes none.
    init?(debit: Account, credit: Account, signed amount: Int64) {
        guard amount != 0, debit != credit else { return nil }
        self.debit = amount > 0 ? debit : credit
        self.credit = amount > 0 ? credit : debit
        self.amount = abs(amount)
    }
}
