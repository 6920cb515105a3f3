package import Domain

/// When a callback that failed is tried again, and when it is given up.
package enum RetrySchedule {
    /// The pauses before the second try, the third, and so on, in milliseconds: the schedule that Standard Webhooks 1.0
    /// recommends ("Delivery attempts", retries), whose first step is at once.
    package static let pausesMilliseconds: [Int64] = [
        5_000, 300_000, 1_800_000, 7_200_000, 18_000_000, 36_000_000, 50_400_000, 72_000_000, 86_400_000,
    ]
    /// How long all of it takes without jitter, in milliseconds: 75 hours, 35 minutes and 5 seconds.
    package static let wholeMilliseconds = pausesMilliseconds.reduce(0, +)
    /// The most that jitter adds to a pause, in thousandths of it.
    package static let jitterPermille: Int64 = 100

    /// When a callback is tried again.
    ///
    /// - Parameters:
    ///   - failures: how many tries have failed, at least one.
    ///   - now: when the last one failed.
    ///   - random: what lengthens the pause by up to a tenth, so that what failed together does not come together.
    /// - Returns: nil once it has failed ten times.
    package static func next(
        afterFailures failures: Int64,
        at now: Timestamp,
        using random: inout some RandomNumberGenerator
    ) -> Timestamp? {
        precondition(failures > 0, "what has not failed is not tried again")
        guard failures <= pausesMilliseconds.count else { return nil }
        return now.adding(milliseconds: stretched(pausesMilliseconds[Int(failures) - 1], using: &random))
    }

    /// When an endpoint is tried again of whose callbacks none arrived: after 5 s, then every 5 min.
    ///
    /// These are the schedule's first steps, so that a callback alone is never held up by it; the rest of it is
    /// each callback's own.
    package static func probe(
        afterFailures failures: Int64,
        at now: Timestamp,
        using random: inout some RandomNumberGenerator
    ) -> Timestamp {
        now.adding(milliseconds: stretched(pausesMilliseconds[failures > 1 ? 1 : 0], using: &random))
    }

    private static func stretched(_ pause: Int64, using random: inout some RandomNumberGenerator) -> Int64 {
        pause + pause * Int64.random(in: 0...jitterPermille, using: &random) / 1000
    }
}

/// The header `Retry-After` (RFC 9110, 10.2.3).
enum RetryAfter {
    /// The longest pause that is granted, in milliseconds: a day.
    static let limitMilliseconds: Int64 = 86_400_000

    /// Until when to leave the endpoint alone: so many seconds, or until a date, at most a day; nil if it says neither.
    static func moment(_ text: String?, now: Timestamp) -> Timestamp? {
        guard let text = text?.drop(while: \.isWhitespace), !text.isEmpty else { return nil }
        let latest = now.adding(milliseconds: limitMilliseconds)
        let words = String(text.reversed().drop(while: \.isWhitespace).reversed())
        if words.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
            let (pause, overflows) = (Int64(words) ?? .max).multipliedReportingOverflow(by: 1000)
            return overflows ? latest : min(now.adding(milliseconds: pause), latest)
        }
        return HTTPDate.timestamp(words, now: now).map { min(max($0, now), latest) }
    }
}
