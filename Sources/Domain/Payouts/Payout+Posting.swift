/// A payout in the journal.
extension Payout {
    /// The entry that records it: less is owed to the merchant, and less cash is there.
    package func entry(_ id: EntryID) -> JournalEntry {
        entry(id, .payout, at: recordedAt, debit: .payable(merchant: merchant), credit: .bank)
    }

    /// The entry that takes it back: the merchant is owed it again.
    ///
    /// - Parameters:
    ///   - id: the entry's identifier.
    ///   - time: when the failure is recorded.
    /// - Returns: the entry.
    package func reversal(_ id: EntryID, at time: Timestamp) -> JournalEntry {
        entry(id, .payoutReversal, at: time, debit: .bank, credit: .payable(merchant: merchant))
    }

    private func entry(
        _ id: EntryID,
        _ kind: JournalEntry.Kind,
        at time: Timestamp,
        debit: Account,
        credit: Account
    ) -> JournalEntry {
        JournalEntry(
            id: id,
            kind: kind,
            merchant: merchant,
            payment: nil,
            operation: nil,
            dispute: nil,
            payout: self.id,
            at: time,
            postings: [Posting(debit: debit, credit: credit, signed: amount.minorUnits)].compactMap(\.self)
        )
    }
}
