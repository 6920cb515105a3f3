/// A batch in the journal.
extension SettledBatch {
    /// The entries that record it, those without an amount left out.
    ///
    /// Each sum is rounded once. Merchants bear their own rounded sums, and the marketplace what is left of the sum of
    /// all, so that fees, payout and effects leave the PSP account's clearing at zero where the PSP's own sums do.
    ///
    /// - Parameters:
    ///   - file: the import.
    ///   - account: the PSP account.
    ///   - now: when they are posted.
    ///   - ids: where their identifiers come from.
    /// - Returns: the entries, in an order that does not change.
    /// - Throws: ``SettlementOverflow``.
    package func entries(
        of file: ImportID,
        pspAccount account: String,
        at now: Timestamp,
        ids: inout IdentifierSource
    ) throws(SettlementOverflow) -> [JournalEntry] {
        let clearing = Account.clearing(pspAccount: account)
        var drafts: [(JournalEntry.Kind, MerchantID?, Account, Int64)] = []
        var left = try whole(allFees)
        for (merchant, fee) in merchantFees.sorted(by: { $0.key < $1.key }) {
            let amount = try whole(fee)
            left -= amount
            drafts.append((.pspFees, merchant, .payable(merchant: merchant), amount))
        }
        drafts.append((.pspFees, nil, .pspFees(pspAccount: account), left))
        drafts.append((.pspPayout, nil, .bank, -(try whole(payouts))))
        drafts.append((.pspReserve, nil, .reserve(pspAccount: account), -(try whole(reserves))))
        drafts.append((.pspAdjustment, nil, .suspense(pspAccount: account), -(try whole(adjustments))))
        drafts.append((.conversion, nil, .conversion(pspAccount: account), -(try whole(conversions))))
        return drafts.compactMap { kind, merchant, debit, amount in
            guard let posting = Posting(debit: debit, credit: clearing, signed: amount) else { return nil }
            return JournalEntry(
                id: ids.make(at: now),
                kind: kind,
                merchant: merchant,
                cause: .settlement(file, cause(of: merchant)),
                at: now,
                postings: [posting]
            )
        }
    }

    /// What tells an entry from the others of its kind and currency: the merchant, if there is one, and the batch.
    private func cause(of merchant: MerchantID?) -> String { merchant.map { "\($0.text) \(batch)" } ?? batch }

    private func whole(_ sum: ExactSum) throws(SettlementOverflow) -> Int64 {
        guard let units = sum.minorUnits(of: currency), units != .min else {
            throw SettlementOverflow(batch: batch, currency: currency)
        }
        return units
    }
}

/// A batch whose sums are more than 64 bits of minor units hold.
package struct SettlementOverflow: Error, Hashable, Sendable {
    /// The batch.
    package let batch: String
    /// The currency.
    package let currency: Currency

    /// Makes an error.
    package init(batch: String, currency: Currency) {
        self.batch = batch
        self.currency = currency
    }
}
