/// A day of the proleptic Gregorian calendar, without a time zone.
package struct CalendarDay: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Days since 1970-01-01, which is 0.
    package let number: Int32

    /// Makes a day.
    @usableFromInline
    package init(number: Int32) { self.number = number }

    /// The day of a date; nil if the calendar has none such, or its year is not from 1 to 9999.
    package init?(year: Int, month: Int, day: Int) {
        guard 1...9999 ~= year, 1...12 ~= month, 1...Int(Self.length(ofMonth: Int32(month), Int32(year))) ~= day else {
            return nil
        }
        number = Self.number(Int32(year), Int32(month), Int32(day))
    }

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

    /// The year.
    package var year: Int { Int(Self.date(Int64(number)).year) }
    /// The month, from 1.
    package var month: Int { Int(Self.date(Int64(number)).month) }
    /// The day of the month, from 1.
    package var day: Int { Int(Self.date(Int64(number)).day) }

    /// The moment at which the day begins in UTC; a day too far from 1970 to count begins at either end of time.
    package var start: Timestamp {
        let (microseconds, overflowed) = Int64(number).multipliedReportingOverflow(by: 86_400_000_000)
        return Timestamp(microseconds: overflowed ? (number < 0 ? .min : .max) : microseconds)
    }

    /// `YYYY-MM-DD`; of a day outside the years 0000 to 9999, the nearest that can be written.
    package var description: String {
        let (year, month, day) = Self.date(Int64(min(max(number, Self.yearZero), Self.endOfYear9999)))
        func digit(_ value: Int64) -> UInt8 { UInt8(ascii: "0") + UInt8(value % 10) }
        let dash = UInt8(ascii: "-")
        let text = [
            digit(year / 1000), digit(year / 100), digit(year / 10), digit(year), dash,
            digit(month / 10), digit(month), dash, digit(day / 10), digit(day),
        ]
        return String(decoding: text, as: UTF8.self)
    }

    /// 0000-01-01.
    private static let yearZero: Int32 = -719_528
    /// 9999-12-31.
    private static let endOfYear9999: Int32 = 2_932_896

    /// The day that many days later; saturates.
    package func adding(days: Int32) -> CalendarDay {
        let (sum, overflow) = number.addingReportingOverflow(days)
        return CalendarDay(number: overflow ? (days < 0 ? .min : .max) : sum)
    }

    /// How many days later than another it is.
    package func days(since other: CalendarDay) -> Int64 { Int64(number) - Int64(other.number) }

    /// The earlier day is less.
    package static func < (left: CalendarDay, right: CalendarDay) -> Bool { left.number < right.number }

    /// How many days a month has, which is from 1 to 12.
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

    /// The date of a day number (Hinnant, as above).
    static func date(_ number: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = number + 719_468
        let era = Timestamp.floorDivide(shifted, 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
    }
}
