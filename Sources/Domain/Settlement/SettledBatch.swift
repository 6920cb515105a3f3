/// What a file says that a PSP did with our balance in one batch and currency, beside the effects that are posted
/// already: the sums that the journal takes of it.
package struct SettledBatch: Hashable, Sendable {
    /// The batch, as the PSP names it; empty for lines of none.
    package let batch: String
    /// The currency.
    package let currency: Currency
    /// What the PSP took for itself of lines whose fees the marketplace bears, or of no payment.
    package var fees = ExactSum()
    /// The same of lines of merchants that bear the fees themselves.
    package var merchantFees: [MerchantID: ExactSum] = [:]
    /// How payouts changed the balance: below zero, they went to the bank.
    package var payouts = ExactSum()
    /// How reserves changed it: below zero, they are held back.
    package var reserves = ExactSum()
    /// How adjustments, and lines of types that nobody knows, changed it.
    package var adjustments = ExactSum()
    /// What effects of another currency changed it by, less what effects of this one did that were settled in others.
    package var conversions = ExactSum()

    /// A batch in which nothing happened.
    package init(batch: String, currency: Currency) {
        self.batch = batch
        self.currency = currency
    }

    /// All fees, whoever bears them.
    package var allFees: ExactSum {
        var sum = fees
        for fee in merchantFees.values { sum += fee }
        return sum
    }
}

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

/// A sum of exact amounts of one currency, rounded only once: when it is posted.
package struct ExactSum: Hashable, Sendable {
    private var trillionths: Int128 = 0

    /// A sum of nothing.
    package init() {}

    /// Adds `units` of the `decimals`-th decimal digit, which may be a sum themselves.
    ///
    /// - Precondition: `decimals` is 0 to ``SettlementAmount/decimalsLimit``. No sum of 64 bits overflows it.
    package mutating func add(_ units: Int64, decimals: Int) {
        trillionths += Int128(units) * SettlementAmount.power(SettlementAmount.decimalsLimit - decimals)
    }

    /// Adds another sum.
    package static func += (sum: inout ExactSum, other: ExactSum) { sum.trillionths += other.trillionths }

    /// The sum in minor units, halves away from zero; nil if it does not fit 64 bits.
    package func minorUnits(of currency: Currency) -> Int64? {
        let divisor = SettlementAmount.power(SettlementAmount.decimalsLimit - currency.exponent)
        let half = trillionths < 0 ? -(divisor / 2) : divisor / 2
        return Int64(exactly: (trillionths + half) / divisor)
    }
}
