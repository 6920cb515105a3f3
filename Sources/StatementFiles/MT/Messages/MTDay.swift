/// A day of a message.
///
/// Banks that count thirty days a month write 30 February, and 29 February in any year: what they mean is the month's
/// last day.
struct MTDay {
    let day: CalendarDay
    /// Whether the calendar has no such day, so that the month's last one stands for it.
    let isMonthEnd: Bool

    /// Reads `YYMMDD`; nil for any other day that the calendar does not have.
    init?(_ text: ArraySlice<UInt8>) {
        if let day = CalendarDay(swift: text) {
            (self.day, isMonthEnd) = (day, false)
            return
        }
        guard text.count == 6, Self.isThirtyDayFebruary(text.suffix(4)),
            let first = CalendarDay(swift: text.prefix(4) + "01".utf8),
            let day = Self.februarysEnd(of: first.year)
        else { return nil }
        (self.day, isMonthEnd) = (day, true)
    }

    /// Reads `MMDD`, as the day nearest to another.
    init?(monthDay text: ArraySlice<UInt8>, near other: CalendarDay) {
        guard text.count == 4, Self.isThirtyDayFebruary(text) else {
            guard let day = CalendarDay(monthDay: text, near: other) else { return nil }
            (self.day, isMonthEnd) = (day, false)
            return
        }
        let ends = (other.year - 1...other.year + 1).compactMap(Self.februarysEnd)
        guard let day = CalendarDay.nearest(of: ends, to: other) else { return nil }
        (self.day, isMonthEnd) = (day, Digits.number(text) != 200 + day.day)
    }

    private static func isThirtyDayFebruary(_ monthDay: ArraySlice<UInt8>) -> Bool {
        monthDay.elementsEqual("0229".utf8) || monthDay.elementsEqual("0230".utf8)
    }

    private static func februarysEnd(of year: Int) -> CalendarDay? {
        CalendarDay(year: year, month: 2, day: 29) ?? CalendarDay(year: year, month: 2, day: 28)
    }
}
