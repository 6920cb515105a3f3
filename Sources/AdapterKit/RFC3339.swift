public import Domain

/// Moments as RFC 3339 writes them: `2026-11-21T08:33:17.1234567Z`, `2026-11-21T09:33:17+01:00`.
public enum RFC3339 {
    /// The moment a text names, from 1970 to 9999; nil if it names none.
    ///
    /// Digits beyond the microsecond are dropped. A leap second is none: no PSP's clock shows one.
    public static func timestamp(_ text: some StringProtocol) -> Timestamp? {
        let bytes = Array(text.utf8)
        guard bytes.count >= 20, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
            bytes[10] | 0x20 == UInt8(ascii: "t"), bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":"),
            let days = days(bytes[0..<10]),
            let hour = number(bytes[11..<13]), hour < 24,
            let minute = number(bytes[14..<16]), minute < 60,
            let second = number(bytes[17..<19]), second < 60
        else { return nil }
        var rest = bytes[19...]
        guard let fraction = fraction(&rest), let offset = offset(rest) else { return nil }
        let seconds = days * 86_400 + hour * 3600 + minute * 60 + second - offset
        return seconds < 0 ? nil : Timestamp(microseconds: seconds * 1_000_000 + fraction)
    }

    /// Days since 1970 of a date (Hinnant, "chrono-Compatible Low-Level Date Algorithms").
    private static func days(_ date: ArraySlice<UInt8>) -> Int64? {
        let start = date.startIndex
        guard let year = number(date[start..<start + 4]), year >= 1970,
            let month = number(date[start + 5..<start + 7]), (1...12).contains(month),
            let day = number(date[start + 8..<start + 10]), (1...lastDay(of: month, in: year)).contains(day)
        else { return nil }
        let shifted = month > 2 ? year : year - 1
        let era = shifted / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private static func lastDay(of month: Int64, in year: Int64) -> Int64 {
        switch month {
        case 2: year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400)) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Takes the fraction of a second off, in microseconds; 0 if there is none, nil if it has no digit.
    private static func fraction(_ rest: inout ArraySlice<UInt8>) -> Int64? {
        guard rest.first == UInt8(ascii: ".") else { return 0 }
        rest.removeFirst()
        let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        rest = rest[digits.endIndex...]
        guard !digits.isEmpty else { return nil }
        return number((Array(digits.prefix(6)) + [UInt8](repeating: UInt8(ascii: "0"), count: 6)).prefix(6))
    }

    /// Seconds that the local time is ahead of UTC.
    private static func offset(_ rest: ArraySlice<UInt8>) -> Int64? {
        guard let sign = rest.first else { return nil }
        if sign | 0x20 == UInt8(ascii: "z") { return rest.count == 1 ? 0 : nil }
        let start = rest.startIndex
        guard rest.count == 6, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"),
            rest[start + 3] == UInt8(ascii: ":"),
            let hours = number(rest[start + 1..<start + 3]), hours < 24,
            let minutes = number(rest[start + 4..<start + 6]), minutes < 60
        else { return nil }
        let seconds = hours * 3600 + minutes * 60
        return sign == UInt8(ascii: "+") ? seconds : -seconds
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int64? {
        var value: Int64 = 0
        for digit in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
            value = value * 10 + Int64(digit - UInt8(ascii: "0"))
        }
        return value
    }
}
