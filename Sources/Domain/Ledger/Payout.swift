/// What a merchant was paid of what it is owed: a fact that is recorded, not an order to pay.
package struct Payout: Hashable, Sendable {
    /// Who told us of it.
    package enum Origin: String, Sendable {
        /// A person, by command.
        case `operator`
    }

    /// Where it stands.
    package enum State: Hashable, Sendable {
        /// The merchant has the money, as far as we know.
        case paid
        /// The money came back, or never left. It stays so: paying again is another payout.
        case failed(Failure)

        /// The word for it: `paid` or `failed`.
        package var name: String {
            switch self {
            case .paid: "paid"
            case .failed: "failed"
            }
        }
    }

    /// How a payout came to nothing.
    package struct Failure: Hashable, Sendable {
        /// When it was recorded.
        package let at: Timestamp
        /// Why, in a person's words.
        package let reason: String

        /// Makes a failure as it is stored.
        package init(stored reason: String, at: Timestamp) {
            self.at = at
            self.reason = reason
        }

        /// Makes a failure as somebody tells of it.
        ///
        /// - Throws: ``PayoutRefusal/unusableReason``.
        package init(_ reason: String, at: Timestamp) throws(PayoutRefusal) {
            guard PayoutRefusal.isLine(reason, limit: PayoutRefusal.reasonLimit) else { throw .unusableReason }
            self.init(stored: reason, at: at)
        }
    }

    /// Its identifier.
    package let id: PayoutID
    /// The marketplace that paid.
    package let marketplace: String
    /// The merchant that was paid.
    package let merchant: MerchantID
    /// How much, above zero.
    package let amount: Money
    /// When the money went, by the bank or the PSP.
    package let paidAt: Timestamp
    /// What the bank or the PSP calls it; unique in the marketplace.
    package let reference: String
    /// Who told us of it.
    package let origin: Origin
    /// When it was recorded, and posted.
    package let recordedAt: Timestamp
    /// Where it stands.
    package var state: State

    /// Makes a payout as it is stored.
    package init(
        id: PayoutID,
        marketplace: String,
        merchant: MerchantID,
        amount: Money,
        paidAt: Timestamp,
        reference: String,
        origin: Origin,
        recordedAt: Timestamp,
        state: State
    ) {
        self.id = id
        self.marketplace = marketplace
        self.merchant = merchant
        self.amount = amount
        self.paidAt = paidAt
        self.reference = reference
        self.origin = origin
        self.recordedAt = recordedAt
        self.state = state
    }

    /// The payout that a draft tells of, paid.
    ///
    /// - Parameters:
    ///   - draft: what is told of it.
    ///   - id: its identifier.
    ///   - now: when it is recorded; a draft without a time was paid then.
    package init(_ draft: PayoutDraft, id: PayoutID, at now: Timestamp) {
        self.init(
            id: id,
            marketplace: draft.marketplace,
            merchant: draft.merchant,
            amount: draft.amount,
            paidAt: draft.paidAt ?? now,
            reference: draft.reference,
            origin: draft.origin,
            recordedAt: now,
            state: .paid
        )
    }

    /// In which of its values a draft with the same reference tells of another payout; empty if it is this one.
    ///
    /// A draft without a time says nothing of the time.
    package func differences(from draft: PayoutDraft) -> [PayoutDraft.Field] {
        var fields: [PayoutDraft.Field] = []
        if draft.merchant != merchant { fields.append(.merchant) }
        if draft.amount.currency != amount.currency { fields.append(.currency) }
        if draft.amount.minorUnits != amount.minorUnits { fields.append(.amount) }
        if let time = draft.paidAt, time != paidAt { fields.append(.paidAt) }
        return fields
    }
}

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
