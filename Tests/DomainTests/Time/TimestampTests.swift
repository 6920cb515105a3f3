import Domain
import SeededRandom
import Testing

@Suite("Timestamp")
struct TimestampTests {
    @Test(
        "is written as RFC 3339 in UTC",
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (1, "1970-01-01T00:00:00.000Z"), (999, "1970-01-01T00:00:00.000Z"),
            (1000, "1970-01-01T00:00:00.001Z"), (86_399_999_999, "1970-01-01T23:59:59.999Z"),
            (86_400_000_000, "1970-01-02T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"),
            (-1_000_000, "1969-12-31T23:59:59.000Z"), (-86_400_000_000, "1969-12-31T00:00:00.000Z"),
            (951_782_400_000_000, "2000-02-29T00:00:00.000Z"), (951_868_800_000_000, "2000-03-01T00:00:00.000Z"),
            (1_709_164_800_000_000, "2024-02-29T00:00:00.000Z"), (1_709_251_199_999_000, "2024-02-29T23:59:59.999Z"),
            (1_677_628_800_000_000, "2023-03-01T00:00:00.000Z"), (4_107_456_000_000_000, "2100-02-28T00:00:00.000Z"),
            (4_107_542_400_000_000, "2100-03-01T00:00:00.000Z"), (-2_203_977_600_000_000, "1900-02-28T00:00:00.000Z"),
            (-2_203_891_200_000_000, "1900-03-01T00:00:00.000Z"), (1_795_246_809_123_456, "2026-11-21T07:40:09.123Z"),
            (1_798_761_599_999_999, "2026-12-31T23:59:59.999Z"), (-11_644_473_600_000_000, "1601-01-01T00:00:00.000Z"),
            (-62_135_596_800_000_000, "0001-01-01T00:00:00.000Z"),
            (253_402_300_799_999_999, "9999-12-31T23:59:59.999Z"),
        ] as [(Int64, String)]
    )
    func isWritten(_ microseconds: Int64, _ text: String) {
        #expect(Timestamp(microseconds: microseconds).description == text)
    }

    @Test("beyond the years that RFC 3339 can write is written as the nearest one")
    func staysWithinFourDigits() {
        #expect(Timestamp(microseconds: .max).description == "9999-12-31T23:59:59.999Z")
        #expect(Timestamp(microseconds: 253_402_300_800_000_000).description == "9999-12-31T23:59:59.999Z")
        #expect(Timestamp(microseconds: .min).description == "0000-01-01T00:00:00.000Z")
    }

    @Test("agrees with a calendar counted day by day from 1890 to 2110")
    func agreesWithCounting() {
        var day: Int64 = -29_219
        for year in 1890...2110 {
            let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
            for (month, days) in [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31].enumerated() {
                for dayOfMonth in 1...days {
                    let text = Timestamp(microseconds: day * 86_400_000_000).description
                    let parts = text.prefix(10).split(separator: "-").compactMap { Int($0) }
                    if parts != [year, month + 1, dayOfMonth] { Issue.record("day \(day) is written \(text)") }
                    day += 1
                }
            }
        }
    }

    @Test("orders as its text does") func ordersAsText() {
        var random = SeededRandom(seed: 3339)
        let moments = (0..<500).map { _ in
            Timestamp(microseconds: random.number(in: 0...253_402_300_799) * 1_000_000)
        }.sorted()
        #expect(moments.map(\.description) == moments.map(\.description).sorted())
    }

    @Test("adds milliseconds and stops at either end of time") func adds() {
        let moment = Timestamp(microseconds: 5_000_500)
        #expect(moment.adding(milliseconds: 2).microseconds == 5_002_500)
        #expect(moment.adding(milliseconds: -2).microseconds == 4_998_500)
        #expect(moment.adding(milliseconds: .max).microseconds == .max)
        #expect(Timestamp(microseconds: .max).adding(milliseconds: 1).microseconds == .max)
        #expect(moment.adding(milliseconds: .min).microseconds == .min)
        #expect(Timestamp(microseconds: .min).adding(milliseconds: -1).microseconds == .min)
    }

    @Test(
        "has a last whole second, also before 1970",
        arguments: [(5_999_999, 5_000_000), (5_000_000, 5_000_000), (-1, -1_000_000), (-1_000_000, -1_000_000)]
            as [(Int64, Int64)]
    )
    func wholeSecond(microseconds: Int64, whole: Int64) {
        #expect(Timestamp(microseconds: microseconds).wholeSecond.microseconds == whole)
    }

    @Test("counts whole milliseconds between two moments, rounded down") func counts() {
        let moment = Timestamp(microseconds: 5_000_000)
        #expect(Timestamp(microseconds: 5_001_999).milliseconds(since: moment) == 1)
        #expect(moment.milliseconds(since: Timestamp(microseconds: 5_001_000)) == -1)
        #expect(moment.milliseconds(since: Timestamp(microseconds: 5_000_001)) == -1)
        #expect(Timestamp(microseconds: .max).milliseconds(since: Timestamp(microseconds: .min)) == .max)
        #expect(Timestamp(microseconds: .min).milliseconds(since: Timestamp(microseconds: .max)) == .min)
    }
}
