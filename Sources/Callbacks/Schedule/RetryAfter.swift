import Domain

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
