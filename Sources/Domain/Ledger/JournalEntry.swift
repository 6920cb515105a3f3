/// A double-entry record of one effect at a PSP, of one payout, or of what a PSP's file says, posted exactly once.
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
        /// Who bears what a PSP takes for a dispute; the taking itself is in its settlement file.
        case disputeFee = "dispute_fee"
        /// What a merchant was owed, paid out to it.
        case payout
        /// A payout that failed after all.
        case payoutReversal = "payout_reversal"
        /// What a PSP took for itself, as its settlement file says.
        case pspFees = "psp_fees"
        /// What a PSP paid out to the marketplace's bank account.
        case pspPayout = "psp_payout"
        /// What a PSP holds back, or released.
        case pspReserve = "psp_reserve"
        /// What a PSP changed our balance by for a reason that has no account of its own.
        case pspAdjustment = "psp_adjustment"
        /// What was sold in one currency and settled in another.
        case conversion
        /// A difference that was accepted.
        case writeOff = "write_off"
        /// A difference that an operator settled against the rules.
        case forcedMatch = "forced_match"
    }

    /// What reconciliation posts an entry for.
    package enum Cause: Hashable, Sendable {
        /// A file that was taken in; the text tells its entries of one kind and currency apart.
        case settlement(ImportID, String)
        /// A break, by the action with this number.
        case resolution(BreakID, Int)
    }

    /// Its identifier.
    package let id: EntryID
    /// What it records.
    package let kind: Kind
    /// The merchant it is about; nil for what a PSP does with the marketplace's own money.
    package let merchant: MerchantID?
    /// The payment it is about; nil for a payout and what reconciliation posts.
    package let payment: PaymentID?
    /// The operation that had the effect; with the kind, unique.
    ///
    /// Nil for everything else.
    package let operation: OperationID?
    /// The dispute that had the effect; nil for everything else.
    package let dispute: DisputeID?
    /// The payout; nil for everything else.
    ///
    /// With the kind, unique.
    package let payout: PayoutID?
    /// What reconciliation posts it for; nil for everything else.
    ///
    /// With the kind and the currency, unique among entries that reverse none.
    package let cause: Cause?
    /// The entry of the same kind that it undoes; an entry is undone at most once.
    package let reverses: EntryID?
    /// When it was posted.
    package let at: Timestamp
    /// Its postings; each moves one amount from one account to another, so an entry cannot be out of balance.
    package let postings: [Posting]

    /// Makes an entry about what happened to a payment, or about a payout.
    init(
        id: EntryID,
        kind: Kind,
        merchant: MerchantID,
        payment: PaymentID?,
        operation: OperationID?,
        dispute: DisputeID?,
        payout: PayoutID?,
        at: Timestamp,
        postings: [Posting]
    ) {
        self.id = id
        self.kind = kind
        self.merchant = merchant
        self.payment = payment
        self.operation = operation
        self.dispute = dispute
        self.payout = payout
        cause = nil
        reverses = nil
        self.at = at
        self.postings = postings
    }

    /// Makes an entry that reconciliation posts.
    package init(
        id: EntryID,
        kind: Kind,
        merchant: MerchantID?,
        cause: Cause,
        reverses: EntryID? = nil,
        at: Timestamp,
        postings: [Posting]
    ) {
        self.id = id
        self.kind = kind
        self.merchant = merchant
        payment = nil
        operation = nil
        dispute = nil
        payout = nil
        self.cause = cause
        self.reverses = reverses
        self.at = at
        self.postings = postings
    }
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

    /// Makes a posting as it is stored.
    ///
    /// - Precondition: the amount is above zero and the accounts differ, which the tables see to.
    package init(stored debit: Account, credit: Account, amount: Int64) {
        precondition(amount > 0 && debit != credit, "a posting moves something from one account to another")
        self.debit = debit
        self.credit = credit
        self.amount = amount
    }

    /// The posting the other way round.
    package var reversed: Posting { Posting(stored: credit, credit: debit, amount: amount) }
}
