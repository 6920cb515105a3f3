import AdapterKit

/// A day of the Gregorian calendar.
struct CalendarDay: Hashable, Sendable {
    let year: Int
    let month: Int
    let day: Int

    /// Makes a day; nil if the calendar has none such.
    init?(year: Int, month: Int, day: Int) {
        guard (1...9_999).contains(year), (1...12).contains(month), day >= 1, day <= Self.days(in: month, of: year)
        else { return nil }
        self.year = year
        self.month = month
        self.day = day
    }

    /// Reads `YYYY-MM-DD`, whatever follows.
    init?(iso text: ArraySlice<UInt8>) {
        let text = text.prefix(10)
        let start = text.startIndex
        guard text.count == 10, text[start + 4] == UInt8(ascii: "-"), text[start + 7] == UInt8(ascii: "-"),
            let year = Digits.number(text[start..<start + 4]),
            let month = Digits.number(text[start + 5..<start + 7]),
            let day = Digits.number(text[start + 8..<start + 10])
        else { return nil }
        self.init(year: year, month: month, day: day)
    }

    /// Reads `YYMMDD` as SWIFT does: years up to 79 are of this century.
    init?(swift text: ArraySlice<UInt8>) {
        guard text.count == 6, let number = Digits.number(text) else { return nil }
        let year = number / 10_000
        self.init(year: year + (year < 80 ? 2_000 : 1_900), month: number / 100 % 100, day: number % 100)
    }

    /// Reads `MMDD`, as the day nearest to another.
    init?(monthDay text: ArraySlice<UInt8>, near other: CalendarDay) {
        guard text.count == 4, let number = Digits.number(text) else { return nil }
        let candidates = (other.year - 1...other.year + 1).compactMap { year in
            CalendarDay(year: year, month: number / 100, day: number % 100)
        }
        guard let nearest = Self.nearest(of: candidates, to: other) else { return nil }
        self = nearest
    }

    /// The day nearest to another; nil of none.
    static func nearest(of days: [CalendarDay], to other: CalendarDay) -> CalendarDay? {
        days.min { abs($0.ordinal - other.ordinal) < abs($1.ordinal - other.ordinal) }
    }

    /// `YYYY-MM-DD`.
    var date: SettlementDate {
        SettlementDate("\(Digits.padded(year, 4))-\(Digits.padded(month, 2))-\(Digits.padded(day, 2))")
    }

    /// A number that grows by one with each day.
    private var ordinal: Int {
        let past = year - 1
        let before = past * 365 + past / 4 - past / 100 + past / 400
        return before + (1..<month).reduce(0) { $0 + Self.days(in: $1, of: year) } + day
    }

    private static func days(in month: Int, of year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}
