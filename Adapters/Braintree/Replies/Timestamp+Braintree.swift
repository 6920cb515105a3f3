package import Domain

/// Reading Braintree's times.
extension Timestamp {
    /// Reads RFC 3339 in UTC, with or without a fraction: `2026-11-21T10:33:20.000000Z`; nil if it is none.
    ///
    /// Digits beyond microseconds are dropped.
    package init?(rfc3339 text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count >= 20, bytes.count <= 30, bytes[10] == UInt8(ascii: "T"), bytes.last == UInt8(ascii: "Z"),
            bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":"),
            let day = Self.day(bytes[..<10]), let hour = Self.number(bytes[11..<13]), hour < 24,
            let minute = Self.number(bytes[14..<16]), minute < 60, let second = Self.number(bytes[17..<19]),
            second < 60,
            let fraction = Self.microseconds(bytes[19..<(bytes.count - 1)])
        else { return nil }
        self.init(microseconds: (((day * 24 + hour) * 60 + minute) * 60 + second) * 1_000_000 + fraction)
    }

    /// Reads a date, `2026-11-21`, as the moment it begins in UTC; nil if it is none.
    package init?(date text: String) {
        let bytes = Array(text.utf8)
        guard let day = Self.day(bytes[...]) else { return nil }
        self.init(microseconds: day * 86_400_000_000)
    }

    /// The number of a date's day, from 1970-01-01 (Hinnant, "chrono-Compatible Low-Level Date Algorithms").
    private static func day(_ bytes: ArraySlice<UInt8>) -> Int64? {
        let start = bytes.startIndex
        guard bytes.count == 10, bytes[start + 4] == UInt8(ascii: "-"), bytes[start + 7] == UInt8(ascii: "-"),
            let year = number(bytes[start..<(start + 4)]), let month = number(bytes[(start + 5)..<(start + 7)]),
            let day = number(bytes[(start + 8)...]), (1...12).contains(month),
            (1...days(in: month, of: year)).contains(day)
        else { return nil }
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private static func days(in month: Int64, of year: Int64) -> Int64 {
        switch month {
        case 4, 6, 9, 11: return 30
        case 2: return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        default: return 31
        }
    }

    /// A point and one to nine digits, or nothing.
    private static func microseconds(_ bytes: ArraySlice<UInt8>) -> Int64? {
        guard let point = bytes.first else { return 0 }
        let digits = bytes.dropFirst()
        guard point == UInt8(ascii: "."), (1...9).contains(digits.count), number(digits) != nil else { return nil }
        let padded = Array((digits + [UInt8](repeating: UInt8(ascii: "0"), count: 6)).prefix(6))
        return number(padded[...])
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int64? {
        var value: Int64 = 0
        for byte in bytes {
            guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
            value = value * 10 + Int64(byte - UInt8(ascii: "0"))
        }
        return value
    }
}
