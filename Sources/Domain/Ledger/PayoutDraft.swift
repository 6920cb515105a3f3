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

        /// What a recorded payout has there, as text; the amount as decimals.
        package func value(in payout: Payout) -> String {
            switch self {
            case .merchant: payout.merchant.text
            case .currency: payout.amount.currency.code
            case .amount: payout.amount.decimal
            case .paidAt: payout.paidAt.description
            }
        }
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

/// Why a payout is not recorded, or not recorded as failed; nothing is changed then.
package enum PayoutRefusal: Error, Hashable, Sendable {
    /// The amount is zero.
    case nothingPaid
    /// The reference is empty, too long, has spaces at an end or control characters.
    case unusableReference
    /// The reason is empty, longer than 500 bytes, has spaces at an end or control characters.
    case unusableReason
    /// The money is said to have gone later than now.
    case notPaidYet
    /// The reference is that of another payout, which differs in these values.
    case referenceInUse(Payout, differsIn: [PayoutDraft.Field])
    /// The marketplace has no such payout.
    case unknown(PayoutID)
    /// It has failed already, for another reason.
    case failedOtherwise(Payout)

    /// The longest reason for a failure, in bytes of UTF-8.
    package static let reasonLimit = 500

    /// Whether a text is one line of 1 to `limit` bytes that does not begin or end with a space.
    static func isLine(_ text: String, limit: Int) -> Bool {
        guard (1...limit).contains(text.utf8.count), text.first != " ", text.last != " " else { return false }
        return text.unicodeScalars.allSatisfy { scalar in
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator: false
            default: true
            }
        }
    }
}
