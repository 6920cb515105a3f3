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
