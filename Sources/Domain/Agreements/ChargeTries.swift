/// What of an agreement's charges was declined, and whether and when another may be tried.
///
/// By the rules of the card networks: none after a decline that forbids it, none before the time that a decline names, and at
/// most ``limit`` declined tries in ``spanMilliseconds``. Where a decline names no time, tries are 1, 3, 5 and then 7 days apart.
package struct ChargeTries: Hashable, Sendable {
    /// The most declined tries within ``spanMilliseconds``.
    package static let limit = 15
    /// The time in which tries are counted, in milliseconds: 30 days.
    package static let spanMilliseconds: Int64 = 30 * dayMilliseconds
    /// A day in milliseconds.
    private static let dayMilliseconds: Int64 = 86_400_000
    /// How long to wait after the first, the second and each further decline in a row, in days.
    private static let ladder: [Int64] = [1, 3, 5, 7]

    /// Another try.
    package enum Verdict: Hashable, Sendable {
        /// It may be made.
        case allowed
        /// Not with this method.
        case forbidden
        /// Not before that moment, as a decline or the ladder says.
        case notBefore(Timestamp)
        /// There were too many; the next may be made at that moment.
        case tooMany(until: Timestamp)
    }

    /// When charges were declined, the earliest first, as far back as it counts.
    package var declinedAt: [Timestamp]
    /// How many declines there were since the last charge that was approved.
    package var declinesInARow: Int64
    /// Before when no other charge may be tried.
    package var notBefore: Timestamp?
    /// Whether the method may not be tried again at all.
    package var isForbidden: Bool

    /// Makes what nothing was declined of.
    package init(
        declinedAt: [Timestamp] = [],
        declinesInARow: Int64 = 0,
        notBefore: Timestamp? = nil,
        isForbidden: Bool = false
    ) {
        self.declinedAt = declinedAt
        self.declinesInARow = declinesInARow
        self.notBefore = notBefore
        self.isForbidden = isForbidden
    }

    /// Whether a charge was declined, and none approved since.
    package var hasOpenDecline: Bool { declinesInARow > 0 }

    /// Whether another charge may be tried, beside so many that are not decided yet: each may still be declined.
    package func verdict(at now: Timestamp, besideOpen open: Int = 0) -> Verdict {
        if isForbidden { return .forbidden }
        let counted = Self.counted(declinedAt, at: now) + Array(repeating: now, count: open)
        if counted.count >= Self.limit {
            // The oldest of the last so many has to leave the span first.
            let end = counted[counted.count - Self.limit].adding(milliseconds: Self.spanMilliseconds)
            return notBefore.flatMap { $0 > end ? .notBefore($0) : nil } ?? .tooMany(until: end)
        }
        if let notBefore, now < notBefore { return .notBefore(notBefore) }
        return .allowed
    }

    /// Counts a decline.
    package mutating func decline(_ decline: Decline, at now: Timestamp) {
        declinedAt = Self.counted(declinedAt, at: now) + [now]
        declinesInARow += 1
        switch decline.advice {
        case .never, .revoked: isForbidden = true
        case .after(let milliseconds): wait(until: now.adding(milliseconds: max(0, milliseconds)))
        case nil:
            if decline.category.mayBeChargedAgain {
                let days = Self.ladder[min(Int(declinesInARow) - 1, Self.ladder.count - 1)]
                wait(until: now.adding(milliseconds: days * Self.dayMilliseconds))
            } else {
                isForbidden = true
            }
        }
    }

    /// No decline takes back what an earlier one said.
    private mutating func wait(until time: Timestamp) { notBefore = max(time, notBefore ?? time) }

    /// Counts a charge that was approved: whatever comes next is no resubmission.
    ///
    /// One that was placed before the latest decline says nothing against it.
    package mutating func approve(placedAt time: Timestamp) {
        guard declinedAt.last.map({ $0 < time }) ?? true else { return }
        declinesInARow = 0
        notBefore = nil
        isForbidden = false
    }

    /// Begins anew with another method: what an issuer said of the old one is not said of it.
    package mutating func replaceMethod() {
        notBefore = nil
        isForbidden = false
    }

    private static func counted(_ times: [Timestamp], at now: Timestamp) -> [Timestamp] {
        let start = now.adding(milliseconds: -spanMilliseconds)
        return times.filter { $0 > start }
    }
}

extension Decline.Category {
    /// Whether a charge that was declined so may be tried again without the buyer.
    fileprivate var mayBeChargedAgain: Bool {
        switch self {
        case .insufficientFunds, .limitExceeded, .temporary, .partialApproval, .generic: true
        // Only the buyer can be authenticated, or finish a step.
        case .authenticationRequired, .actionExpired: false
        case .expiredCard, .invalidCard, .lostOrStolen, .suspectedFraud, .notPermitted: false
        }
    }
}
