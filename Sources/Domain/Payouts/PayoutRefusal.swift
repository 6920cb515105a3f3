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
