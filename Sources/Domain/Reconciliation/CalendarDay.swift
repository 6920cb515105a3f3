/// A day of the proleptic Gregorian calendar, without a time zone.
package struct CalendarDay: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Days since 1970-01-01, which is 0.
    package let number: Int32

    /// Makes a day.
    @usableFromInline
    package init(number: Int32) { self.number = number }

    /// The day that a text begins with, as ISO 8601 writes it: `2026-11-21`; nil if there is no such day.
    package init?(_ text: String) {
        let bytes = text.utf8.span
        self.init(digits: bytes.count) { bytes[$0] }
    }

    /// The day that so many characters begin with, each asked for by its place; nil if there is no such day.
    @inlinable
    @inline(__always)
    package init?(digits count: Int, _ character: (Int) -> UInt8) {
        guard count >= 10, character(4) == UInt8(ascii: "-"), character(7) == UInt8(ascii: "-") else { return nil }
        @inline(__always)
        func number(_ places: Range<Int>) -> Int32? {
            var number: Int32 = 0
            for place in places {
                let digit = character(place)
                guard digit >= UInt8(ascii: "0"), digit <= UInt8(ascii: "9") else { return nil }
                number = number * 10 + Int32(digit - UInt8(ascii: "0"))
            }
            return number
        }
        guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10), 1...12 ~= month,
            1...Self.length(ofMonth: month, year) ~= day
        else { return nil }
        self.init(number: Self.number(year, month, day))
    }

    /// `YYYY-MM-DD`.
    package var description: String {
        String(Timestamp(microseconds: Int64(number) * 86_400_000_000).description.prefix(10))
    }

    /// The day that many days later; saturates.
    package func adding(days: Int32) -> CalendarDay {
        let (sum, overflow) = number.addingReportingOverflow(days)
        return CalendarDay(number: overflow ? (days < 0 ? .min : .max) : sum)
    }

    /// How many days later than another it is.
    package func days(since other: CalendarDay) -> Int64 { Int64(number) - Int64(other.number) }

    /// The earlier day is less.
    package static func < (left: CalendarDay, right: CalendarDay) -> Bool { left.number < right.number }

    @usableFromInline
    static func length(ofMonth month: Int32, _ year: Int32) -> Int32 {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// The day number (Hinnant, "chrono-Compatible Low-Level Date Algorithms"); the year is not below 0.
    @usableFromInline
    static func number(_ year: Int32, _ month: Int32, _ day: Int32) -> Int32 {
        let shiftedYear = year - (month <= 2 ? 1 : 0)
        let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
        let yearOfEra = shiftedYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
}
