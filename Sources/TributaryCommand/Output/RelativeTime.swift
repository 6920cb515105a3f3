import Domain
import Foundation

/// A moment as people say it: how long ago it was, or how soon it is.
enum RelativeTime {
    private static let units: [(name: String, seconds: Int64)] = [
        ("d", 86_400), ("h", 3600), ("min", 60), ("s", 1),
    ]
    /// Beyond so many days the date says more.
    private static let daysAtMost: Int64 = 60

    /// `3 min ago`, `in 2 d`, `now`; the day itself for what is more than 60 days away.
    static func text(of moment: Timestamp, at now: Timestamp) -> String {
        let seconds = now.milliseconds(since: moment) / 1000
        guard abs(seconds) <= daysAtMost * 86_400 else { return String(moment.description.prefix(10)) }
        guard let words = span(abs(seconds)) else { return "now" }
        return seconds > 0 ? "\(words) ago" : "in \(words)"
    }

    /// A span of time in its greatest unit that it has two of, else one: `90 s` is `90 s`, `7200 s` is `2 h`; nil for none.
    static func span(_ seconds: Int64) -> String? {
        let unit = units.first { seconds >= 2 * $0.seconds } ?? (seconds == 1 ? units[3] : nil)
        return unit.map { "\(seconds / $0.seconds) \($0.name)" }
    }
}

extension Timestamp {
    /// This moment, by the machine's clock.
    static var processNow: Timestamp {
        Timestamp(microseconds: Int64((Date.now.timeIntervalSince1970 * 1_000_000).rounded()))
    }
}
