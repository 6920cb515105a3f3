/// What a payout pays for: what moved the balance of its merchant, in its currency, since the payout before.
///
/// The payout before is within, because it was posted at the first moment; this payout is not, because it is posted at
/// the first moment behind.
package struct PayoutBreakdown: Hashable, Sendable {
    /// How many lines are told one by one at most; a statement of the same time has the others.
    package static let lineLimit = 100

    /// Whose, in what currency, over what time.
    package let scope: StatementScope
    /// What was owed to the merchant as the payout before was told, in minor units; below zero, the merchant owed it.
    package let opening: Int64
    /// What was posted with a time before that, and stored only afterwards, so that no payout was told with it.
    package let postedLate: Int64
    /// What the time brought, item by item; what is not there is zero.
    package let balance: [StatementItem: Int64]
    /// The entries that moved what is owed, in the order of posting: the first of them, up to ``lineLimit``.
    package let lines: [StatementLine]
    /// How many such entries there are, those included that are not among ``lines``.
    package let lineCount: Int64

    /// Makes a breakdown of what was read.
    package init(
        _ scope: StatementScope,
        opening: Int64,
        postedLate: Int64,
        balance: [StatementItem: Int64],
        lines: [StatementLine],
        lineCount: Int64
    ) {
        self.scope = scope
        self.opening = opening
        self.postedLate = postedLate
        self.balance = balance
        self.lines = lines
        self.lineCount = lineCount
    }

    /// What is owed to the merchant just before this payout.
    package var closing: Int64 { balance.values.reduce(opening + postedLate, +) }
}

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
