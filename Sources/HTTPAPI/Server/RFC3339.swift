import Domain

/// Reads times as RFC 3339 writes them.
enum RFC3339 {
    /// The moment of `2026-11-21T07:40:09Z`, with or without a fraction and an offset; nil for anything else.
    static func timestamp(_ text: String) -> Timestamp? {
        guard
            let match = text.wholeMatch(
                of: /(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(\.\d{1,9})?([Zz]|[+-]\d\d:\d\d)/
            ),
            let year = Int64(match.1), let month = Int64(match.2), let day = Int64(match.3),
            let hour = Int64(match.4), let minute = Int64(match.5), let second = Int64(match.6),
            (1...12).contains(month), (1...daysIn(month, of: year)).contains(day), hour < 24, minute < 60, second < 60
        else { return nil }
        let digits = String((match.7?.dropFirst() ?? "")).padding(to: 6)
        guard let fraction = Int64(digits), let offset = offset(match.8) else { return nil }
        let seconds = days(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second - offset * 60
        return Timestamp(microseconds: seconds * 1_000_000 + fraction)
    }

    /// Minutes east of Greenwich.
    private static func offset(_ text: Substring) -> Int64? {
        guard text.lowercased() != "z" else { return 0 }
        guard let hours = Int64(text.dropFirst().prefix(2)), let minutes = Int64(text.suffix(2)), hours < 24,
            minutes < 60
        else { return nil }
        return (text.first == "-" ? -1 : 1) * (hours * 60 + minutes)
    }

    private static func daysIn(_ month: Int64, of year: Int64) -> Int64 {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
    }

    /// Days since 1970-01-01 (Hinnant, "chrono-Compatible Low-Level Date Algorithms"); years from 0 on.
    private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
}

extension String {
    /// The first `length` characters, zeros behind them if there are fewer.
    fileprivate func padding(to length: Int) -> String {
        prefix(length) + String(repeating: "0", count: max(0, length - count))
    }
}
