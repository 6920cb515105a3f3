/// A payout as somebody tells of it.
package struct PayoutDraft: Hashable, Sendable {
    /// A value that two tellings of one payout must agree on.
    package enum Field: String, Sendable {
        /// Who was paid.
        case merchant
        /// In what.
        case currency
        /// How much.
        case amount
        /// When.
        case paidAt = "paid_at"
    }

    /// The longest reference, in characters of UTF-8.
    package static let referenceLimit = 255

    /// The marketplace that paid.
    package let marketplace: String
    /// The merchant that was paid.
    package let merchant: MerchantID
    /// How much, above zero.
    package let amount: Money
    /// What the bank or the PSP calls it: 1 to 255 bytes without control characters, no space at either end.
    package let reference: String
    /// When the money went; nil if it is not said.
    package let paidAt: Timestamp?
    /// Who tells.
    package let origin: Payout.Origin

    /// Makes a draft.
    ///
    /// - Throws: ``PayoutRefusal/nothingPaid`` or ``PayoutRefusal/unusableReference``.
    package init(
        marketplace: String,
        merchant: MerchantID,
        amount: Money,
        reference: String,
        paidAt: Timestamp?,
        origin: Payout.Origin
    ) throws(PayoutRefusal) {
        guard amount.minorUnits > 0 else { throw .nothingPaid }
        guard PayoutRefusal.isLine(reference, limit: Self.referenceLimit) else { throw .unusableReference }
        self.marketplace = marketplace
        self.merchant = merchant
        self.amount = amount
        self.reference = reference
        self.paidAt = paidAt
        self.origin = origin
    }
}
