/// One journal entry on a statement, with what it is about.
package struct StatementLine: Hashable, Sendable {
    /// The journal entry.
    package let entry: EntryID
    /// When it was posted.
    package let at: Timestamp
    /// What it records.
    package let kind: JournalEntry.Kind
    /// The order it is about.
    package let order: OrderID?
    /// The payment it is about.
    package let payment: PaymentID?
    /// The refund that it is a part of, if the marketplace asked for one.
    package let refund: RefundID?
    /// The dispute it is about.
    package let dispute: DisputeID?
    /// The payout it is about.
    package let payout: PayoutID?
    /// The payment's reference, or the payout's.
    package let reference: String?
    /// What the PSP calls what it did.
    package let pspReference: String?
    /// When a payout's money went.
    package let paidAt: Timestamp?
    /// What it comes to.
    package var amounts: StatementAmounts

    /// Makes a line.
    package init(
        entry: EntryID,
        at: Timestamp,
        kind: JournalEntry.Kind,
        order: OrderID?,
        payment: PaymentID?,
        refund: RefundID?,
        dispute: DisputeID?,
        payout: PayoutID?,
        reference: String?,
        pspReference: String?,
        paidAt: Timestamp?,
        amounts: StatementAmounts
    ) {
        self.entry = entry
        self.at = at
        self.kind = kind
        self.order = order
        self.payment = payment
        self.refund = refund
        self.dispute = dispute
        self.payout = payout
        self.reference = reference
        self.pspReference = pspReference
        self.paidAt = paidAt
        self.amounts = amounts
    }

    /// Where it stands among the lines of its merchant and currency.
    package var place: Place { Place(at: at, entry: entry) }

    /// A place among the lines of a merchant and currency: by time, then by entry.
    package struct Place: Hashable, Sendable {
        /// When the entry was posted.
        package let at: Timestamp
        /// The entry.
        package let entry: EntryID

        /// Makes a place.
        package init(at: Timestamp, entry: EntryID) {
            self.at = at
            self.entry = entry
        }
    }
}
