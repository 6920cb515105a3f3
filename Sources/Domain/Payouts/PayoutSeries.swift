/// The payouts of a merchant in a currency, as they are told one after the other.
///
/// Whatever is told of them has the next number, to the marketplace and to the merchant alike; and each pays for what
/// came since the one before, so that nothing is told in two of them.
package struct PayoutSeries: Hashable, Sendable {
    /// The number of what is told now: from 1 without gaps.
    package let number: Int64
    /// The first moment that no payout pays for yet.
    package let coveredTo: Timestamp
    /// What was owed to the merchant at that moment, as it was told; nil if nothing was.
    package let closing: Int64?

    /// Makes a series as it is stored.
    package init(number: Int64, coveredTo: Timestamp, closing: Int64?) {
        self.number = number
        self.coveredTo = coveredTo
        self.closing = closing
    }

    /// When a payout is posted that is recorded at `now`.
    ///
    /// In whole milliseconds, which is what the API writes times in, so that a statement can be asked of the time that
    /// a payout pays for; and later than the payout before, so that there is such a time.
    package func recordingTime(at now: Timestamp) -> Timestamp {
        let epoch = Timestamp(microseconds: 0)
        return max(epoch.adding(milliseconds: now.milliseconds(since: epoch)), coveredTo.adding(milliseconds: 1))
    }

    /// When a failure is posted that is recorded at `now`: not within what was told already.
    package func failureTime(at now: Timestamp) -> Timestamp { max(now, coveredTo) }
}
