/// How a bank's table writes dates; a time behind a date is passed over.
package enum BankTableDateFormat: String, Hashable, Sendable, CaseIterable {
    /// `2026-11-21`, with any of `-`, `/` and `.` between, or `20261121`.
    case yearMonthDay = "yyyy-mm-dd"
    /// `21.11.2026`; a year of two digits is of this century.
    case dayMonthYear = "dd.mm.yyyy"
    /// `11/21/2026`; a year of two digits is of this century.
    case monthDayYear = "mm/dd/yyyy"

    /// The day; nil if the text begins with none.
    func day(_ text: ArraySlice<UInt8>) -> CalendarDay? {
        let date = text.prefix { $0 != 0x20 && $0 != UInt8(ascii: "T") }
        if self == .yearMonthDay, date.count == 8, let number = Digits.number(date) {
            return CalendarDay(year: number / 10_000, month: number / 100 % 100, day: number % 100)
        }
        let parts = date.split(omittingEmptySubsequences: false) { "-/.".utf8.contains($0) }
        guard parts.count == 3, let first = Digits.number(parts[0]), let second = Digits.number(parts[1]),
            let third = Digits.number(parts[2])
        else { return nil }
        let yearPart = parts[self == .yearMonthDay ? 0 : 2]
        guard yearPart.count == 4 || yearPart.count == 2 else { return nil }
        let century = yearPart.count == 2 ? 2_000 : 0
        switch self {
        case .yearMonthDay: return CalendarDay(year: first + century, month: second, day: third)
        case .dayMonthYear: return CalendarDay(year: third + century, month: second, day: first)
        case .monthDayYear: return CalendarDay(year: third + century, month: first, day: second)
        }
    }
}
