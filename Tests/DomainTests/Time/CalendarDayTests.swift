import Domain
import Testing

@Suite("A day of the calendar")
struct CalendarDayTests {
    @Test("has the date it was made of, and its text, on every day from 1890 to 2110")
    func dates() {
        var number: Int32 = -29_219
        for year in 1890...2110 {
            for month in 1...12 {
                for dayOfMonth in 1...31 {
                    guard let day = CalendarDay(year: year, month: month, day: dayOfMonth) else { continue }
                    if day.number != number || [day.year, day.month, day.day] != [year, month, dayOfMonth]
                        || CalendarDay(day.description) != day || !day.start.description.hasPrefix(day.description)
                    {
                        Issue.record("\(year)-\(month)-\(dayOfMonth) is \(day)")
                    }
                    number += 1
                }
            }
        }
        #expect(CalendarDay(number: number).description == "2111-01-01")
    }

    @Test(
        "is none that the calendar does not have",
        arguments: [
            (2026, 2, 29), (1900, 2, 29), (2026, 4, 31), (2026, 13, 1), (2026, 0, 1), (2026, 1, 0), (0, 1, 1),
            (10_000, 1, 1), (-1, 1, 1),
        ]
    )
    func none(year: Int, month: Int, day: Int) { #expect(CalendarDay(year: year, month: month, day: day) == nil) }

    @Test("outside the years 0000 to 9999 is written as the nearest of them")
    func extremes() {
        #expect(CalendarDay(number: .max).description == "9999-12-31")
        #expect(CalendarDay(number: .min).description == "0000-01-01")
        #expect(CalendarDay(number: .max).start == Timestamp(microseconds: .max))
        #expect(CalendarDay(number: .min).start == Timestamp(microseconds: .min))
    }
}
