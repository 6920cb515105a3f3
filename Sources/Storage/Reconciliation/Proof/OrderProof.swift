package import Domain

/// What files and books say of one order, side by side.
package struct OrderProof: Hashable, Sendable {
    /// A settlement line of the order.
    package struct Line: Hashable, Sendable {
        /// The file's name as it was handed in.
        package let file: String
        /// The file's SHA-256.
        package let sha256: String
        /// The PSP account that the file is of.
        package let pspAccount: String
        /// The line.
        package let line: ImportedLine
        /// What it was matched to, and by which rule.
        package let match: LineMatch
        /// Whether the line was matched to another payment as well, so that only a part of it is of this.
        package let isShared: Bool
    }

    /// A payout of a batch that has lines of the order.
    package struct BatchPayout: Hashable, Sendable {
        /// The import of the batch's lines.
        package let batchFile: ImportID
        /// The batch.
        package let batch: String
        /// The rule by which batch and payout were matched.
        package let rule: String
        /// The payout line's file, by its name.
        package let file: String
        /// Where the payout line stands.
        package let place: ImportPlace
        /// The payout line.
        package let line: ImportedLine
    }

    /// A bank entry that a payout explains.
    package struct Credit: Hashable, Sendable {
        /// What was paid out.
        package let payout: BankMatch.Payout
        /// The rule by which they were matched.
        package let rule: String
        /// The statement's file, by its name.
        package let file: String
        /// The statement's SHA-256.
        package let sha256: String
        /// The entry.
        package let entry: ImportedBankEntry
    }

    /// A payout to a merchant, and what of the order it covers.
    package struct Coverage: Hashable, Sendable {
        /// The merchant.
        package let merchant: MerchantID
        /// The payout.
        package let payout: PayoutID
        /// Its reference.
        package let reference: String
        /// When it was paid.
        package let paidAt: Timestamp
        /// All that it paid, in minor units.
        package let amount: Int64
        /// What of that is for this order, earlier proceeds being paid first.
        package let covered: Int64
    }

    /// A journal entry about the order.
    package struct Entry: Hashable, Sendable {
        /// The entry.
        package let id: EntryID
        /// What it records.
        package let kind: JournalEntry.Kind
        /// The payment.
        package let payment: PaymentID
        /// The operation.
        package let operation: OperationID?
        /// The dispute.
        package let dispute: DisputeID?
        /// When it was posted.
        package let at: Timestamp
        /// Its postings.
        package let postings: [Posting]
    }

    /// The order.
    package let order: OrderID
    /// The currency.
    package let currency: Currency
    /// Its lines, by file and row.
    package let lines: [Line]
    /// What its batches paid out.
    package let payouts: [BatchPayout]
    /// What arrived at the bank of that, and what left it to merchants.
    package let credits: [Credit]
    /// What merchants were paid of it.
    package let coverage: [Coverage]
    /// What is posted about it.
    package let entries: [Entry]
    /// The breaks about it, resolved or not.
    package let breaks: [StoredBreak]
}
