package import Domain

/// What is told of a payout: that it was paid, or that it has failed; under an identifier that is made of the payout's own and
/// of when it came about.
package struct PayoutNews: Hashable, Sendable {
    /// The last bits of an identifier, which tell what is told of one payout apart.
    private static let kinds: UInt128 = 3
    /// The bits behind an identifier's time.
    private static let tail: UInt128 = 1 << 80 - 1

    /// The payout.
    package let payout: PayoutID
    /// Whether it has failed.
    package let isFailure: Bool
    /// When it was recorded, or has failed.
    package let at: Timestamp

    /// News of a payout.
    package init(_ payout: PayoutID, isFailure: Bool, at time: Timestamp) {
        self.payout = payout
        self.isFailure = isFailure
        at = time
    }

    /// The callback's identifier.
    package func id(toMerchant isForMerchant: Bool) -> CallbackID {
        let time = UInt128(max(0, at.microseconds / 1000)) << 80
        let kind: UInt128 = (isFailure ? 2 : 0) | (isForMerchant ? 1 : 0)
        return CallbackID(bits: time | payout.bits & Self.tail & ~Self.kinds | kind)
    }

    /// Whether an identifier is one of these.
    func isNamed(_ id: CallbackID) -> Bool { [false, true].contains { self.id(toMerchant: $0) == id } }

    /// Whether an identifier says that it is of a failure.
    static func isFailure(_ id: CallbackID) -> Bool { id.bits & 2 == 2 }

    /// The millisecond that an identifier says, in microseconds.
    static func times(of id: CallbackID) -> Range<Timestamp> {
        let start = Int64(truncatingIfNeeded: id.bits >> 80) * 1000
        return Timestamp(microseconds: start)..<Timestamp(microseconds: start + 1000)
    }
}
