/// Times as HTTP writes them (RFC 9110, 5.6.7).
package enum HTTPDate {
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]

    /// A moment to the second, `Sun, 06 Nov 1994 08:49:37 GMT`, as senders have to write it.
    package static func text(_ moment: Timestamp) -> String {
        let text = moment.wholeSeconds
        let day = Int(Timestamp.floorDivide(moment.microseconds, 86_400_000_000))
        let month = months[(Int(text.dropFirst(5).prefix(2)) ?? 1) - 1]
        let date = "\(text.dropFirst(8).prefix(2)) \(month) \(text.prefix(4))"
        return "\(days[(day % 7 + 7) % 7]), \(date) \(text.dropFirst(11).prefix(8)) GMT"
    }

    /// The moment of `Sun, 06 Nov 1994 08:49:37 GMT` or of one of the two obsolete forms; nil for anything else.
    ///
    /// The day of the week is not compared with the date.
    package static func timestamp(_ text: String, now: Timestamp) -> Timestamp? {
        if let parts = text.wholeMatch(of: /[A-Z][a-z]{2}, (\d\d) ([A-Z][a-z]{2}) (\d{4}) (\d\d:\d\d:\d\d) GMT/) {
            return timestamp(Int64(parts.3), parts.2, parts.1, parts.4)
        }
        if let parts = text.wholeMatch(of: /[A-Z][a-z]{5,8}, (\d\d)-([A-Z][a-z]{2})-(\d\d) (\d\d:\d\d:\d\d) GMT/) {
            return timestamp(year(twoDigits: parts.3, now: now), parts.2, parts.1, parts.4)
        }
        if let parts = text.wholeMatch(of: /[A-Z][a-z]{2} ([A-Z][a-z]{2}) ([ \d]\d) (\d\d:\d\d:\d\d) (\d{4})/) {
            return timestamp(Int64(parts.4), parts.1, parts.2, parts.3)
        }
        return nil
    }

    private static func timestamp(
        _ year: Int64?,
        _ month: Substring,
        _ day: Substring,
        _ time: Substring
    ) -> Timestamp? {
        let clock = time.split(separator: ":").compactMap { Int64($0) }
        guard let year, let month = months.firstIndex(of: String(month)), let day = Int(day.drop { $0 == " " }),
            let date = CalendarDay(year: Int(year), month: month + 1, day: day),
            clock.count == 3, clock[0] < 24, clock[1] < 60, clock[2] <= 60
        else { return nil }
        return Timestamp(seconds: Int64(date.number) * 86_400 + clock[0] * 3600 + clock[1] * 60 + clock[2])
    }

    /// A year that would lie more than 50 years ahead is the latest in the past with the same digits.
    private static func year(twoDigits text: Substring, now: Timestamp) -> Int64? {
        guard let digits = Int64(text) else { return nil }
        let present = 1970 + now.microseconds / 31_556_952_000_000
        let year = present - present % 100 + digits
        return year > present + 50 ? year - 100 : year
    }
}
