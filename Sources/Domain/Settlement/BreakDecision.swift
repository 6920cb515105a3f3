/// Where a break is in its life: open, investigating, then resolved in one of four ways.
package enum BreakState: String, Hashable, Sendable, CaseIterable {
    /// Nobody looked at it yet.
    case open
    /// Somebody looks into it.
    case investigating
    /// A later line explains it, or what it expected arrived.
    case matched
    /// The difference is accepted and posted as an expense or income of the marketplace; needs a scope of its own.
    case writtenOff = "written_off"
    /// The PSP or bank put it right in a later file.
    case corrected
    /// An operator says that it is settled, against the rules; posted, and needs a scope of its own.
    case forced

    /// Whether it waits for somebody.
    package var isUnresolved: Bool { self == .open || self == .investigating }

    /// Whether it takes a permission of its own and is posted to the journal.
    package var isPosted: Bool { self == .writtenOff || self == .forced }

    /// Whether a person may bring a break from this state to `next`; what is resolved stays so.
    package func allows(_ next: BreakState) -> Bool {
        switch (self, next) {
        case (.open, .investigating): true
        case (.open, .matched), (.open, .writtenOff), (.open, .corrected), (.open, .forced): true
        case (.investigating, .matched), (.investigating, .writtenOff), (.investigating, .corrected),
            (.investigating, .forced):
            true
        default: false
        }
    }
}

/// What somebody decides about a break.
package struct BreakDecision: Hashable, Sendable {
    /// The actor of what reconciliation does by itself.
    package static let reconciliation = "reconciliation"
    /// The longest actor and reason, in bytes of UTF-8.
    package static let textLimit = 500

    /// What becomes of it.
    package let state: BreakState
    /// Who decides.
    package let actor: String
    /// Why.
    package let reason: String

    /// Makes a decision.
    ///
    /// - Throws: ``BreakRefusal/unusableText`` unless actor and reason are lines of 1 to 500 bytes.
    package init(_ state: BreakState, by actor: String, because reason: String) throws(BreakRefusal) {
        guard PayoutRefusal.isLine(actor, limit: Self.textLimit), PayoutRefusal.isLine(reason, limit: Self.textLimit)
        else { throw .unusableText }
        self.state = state
        self.actor = actor
        self.reason = reason
    }
}

/// Why nothing was done about a break.
package enum BreakRefusal: Error, Hashable, Sendable {
    /// The marketplace has no such break.
    case unknown(BreakID)
    /// A break does not go from the one state to the other.
    case illegal(from: BreakState, to: BreakState)
    /// Somebody else was faster: it is in this state now.
    case changed(BreakState)
    /// The actor or the reason is empty, longer than 500 bytes, has spaces at an end or control characters.
    case unusableText
}

/// An accepted difference in the journal.
extension Break {
    /// By how much our account has to change if theirs is right, in minor units: the PSP account's clearing, or for
    /// ``BreakType/payoutMismatch`` the bank.
    ///
    /// Zero for what the books have right already: fees are posted as they were taken, references hold no money, and
    /// amounts of two currencies have no difference.
    package var difference: Int64 {
        switch type {
        case .missingAtPSP, .late: -amount
        case .missingInOurs, .amountMismatch, .duplicateLine, .statusMismatch, .splitMismatch, .batchSumMismatch,
            .payoutMismatch, .refundWithoutOrigin, .directionMismatch, .roundingResidue:
            amount
        case .currencyMismatch, .feeMismatch, .wrongMerchantAccount, .referenceMismatch, .unparseableRow: 0
        }
    }

    /// The posting that accepts the difference: written off, against the marketplace's differences; forced, against
    /// what is to be explained of the PSP account.
    ///
    /// Nil if there is nothing to post.
    package func posting(for state: BreakState) -> Posting? {
        guard state.isPosted, let account = ours else { return nil }
        let other: Account =
            switch (state, pspAccount) {
            case (.forced, let name?): .suspense(pspAccount: name)
            default: .differences
            }
        return Posting(debit: account, credit: other, signed: difference)
    }

    private var ours: Account? {
        type == .payoutMismatch ? .bank : pspAccount.map { .clearing(pspAccount: $0) }
    }
}

extension BreakState {
    /// What a break that comes to this state is posted as; nil if it is not.
    package var entryKind: JournalEntry.Kind? {
        switch self {
        case .writtenOff: .writeOff
        case .forced: .forcedMatch
        case .open, .investigating, .matched, .corrected: nil
        }
    }
}
