/// What time it is in a marketplace: the real time, of a test marketplace as much later as its clock was moved forward.
///
/// The clock goes on by itself, and is never moved backwards.
package struct MarketplaceClock: Hashable, Sendable {
    /// How far ahead of the real time a clock may be: ten years of 365 days, in seconds.
    package static let limitSeconds: Int64 = 315_360_000

    /// How far the clock is ahead of the real time, in microseconds; nil in a live marketplace.
    package let aheadMicroseconds: Int64?

    /// A clock that was moved forward by so much; nil for that of a live marketplace.
    ///
    /// - Precondition: it is not behind the real time.
    package init(aheadMicroseconds: Int64?) {
        precondition(aheadMicroseconds.map { $0 >= 0 } ?? true, "a clock is never behind the real time")
        self.aheadMicroseconds = aheadMicroseconds
    }

    /// The real time, which nobody moves.
    package static let live = MarketplaceClock(aheadMicroseconds: nil)
    /// The clock of a test marketplace that was never moved.
    package static let unmoved = MarketplaceClock(aheadMicroseconds: 0)

    /// The kind of marketplace that has such a clock.
    package var mode: MarketplaceMode { aheadMicroseconds == nil ? .live : .test }
    /// Whether it is a live marketplace's.
    package var isLive: Bool { aheadMicroseconds == nil }

    /// Whether it shows another time than the real one.
    package var isMoved: Bool { ahead != 0 }

    private var ahead: Int64 { aheadMicroseconds ?? 0 }

    /// What the clock shows at a real moment; saturates.
    package func time(at real: Timestamp) -> Timestamp {
        let (sum, overflowed) = real.microseconds.addingReportingOverflow(ahead)
        return Timestamp(microseconds: overflowed ? .max : sum)
    }

    /// The real moment at which the clock shows a time, if nobody moves it before; saturates.
    package func realTime(of time: Timestamp) -> Timestamp {
        let (difference, overflowed) = time.microseconds.subtractingReportingOverflow(ahead)
        return Timestamp(microseconds: overflowed ? .min : difference)
    }

    /// The clock moved forward, so that it shows a time now.
    ///
    /// - Parameters:
    ///   - time: what it is to show.
    ///   - now: the real time.
    /// - Returns: the clock from now on.
    /// - Throws: ``TestClockRefusal``.
    package func advanced(to time: Timestamp, at now: Timestamp) throws(TestClockRefusal) -> MarketplaceClock {
        guard let aheadMicroseconds else { throw .liveMarketplace }
        let shown = self.time(at: now)
        guard time >= shown else { throw .backwards(shown) }
        let last = now.adding(milliseconds: Self.limitSeconds * 1000)
        guard time <= last else { throw .tooFar(last) }
        return MarketplaceClock(aheadMicroseconds: aheadMicroseconds + (time.microseconds - shown.microseconds))
    }

    /// The clock moved forward by so many seconds.
    ///
    /// - Throws: ``TestClockRefusal``.
    package func advanced(bySeconds seconds: Int64, at now: Timestamp) throws(TestClockRefusal) -> MarketplaceClock {
        let (milliseconds, overflowed) = seconds.multipliedReportingOverflow(by: 1000)
        let span = overflowed ? (seconds < 0 ? Int64.min : .max) : milliseconds
        return try advanced(to: time(at: now).adding(milliseconds: span), at: now)
    }

    /// Of two readings of a marketplace's clock the later one.
    package func later(of other: MarketplaceClock) -> MarketplaceClock {
        ahead >= other.ahead ? self : other
    }
}

/// Why a clock is not moved.
package enum TestClockRefusal: Error, Hashable, Sendable {
    /// In a live marketplace it is the real time.
    case liveMarketplace
    /// It shows this time already, and is never moved backwards.
    case backwards(Timestamp)
    /// It may show no later time than this for now.
    case tooFar(Timestamp)
}
