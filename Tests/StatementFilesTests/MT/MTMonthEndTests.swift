import AdapterKit
import Domain
import StatementFiles
import Testing

@Suite("Dates of banks that count thirty days a month")
struct MTMonthEndTests {
    private static func text(_ line: String, opening: String = "260227", closing: String = "260227") -> String {
        MTMessageText.statement(":61:\(line)", closing: "C\(closing)EUR105,00")
            .replacing(":60F:C261120", with: ":60F:C\(opening)")
    }

    @Test("are read as February's last day, and counted")
    func entries() throws {
        let rows: [(line: String, days: String, count: Int)] = [
            ("2602300230C5,NTRFA", "2026-02-28 2026-02-28", 2),
            ("2602290228C5,NTRFA", "2026-02-28 2026-02-28", 1),
            ("260230C5,NTRFA", "- 2026-02-28", 1),
            ("2402300229C5,NTRFA", "2024-02-29 2024-02-29", 1),
            ("2402290301C5,NTRFA", "2024-03-01 2024-02-29", 0),
            ("2603010230C5,NTRFA", "2026-02-28 2026-03-01", 1),
            ("2603020229C5,NTRFA", "2026-02-28 2026-03-02", 1),
            ("2512310230C5,NTRFA", "2026-02-28 2025-12-31", 1),
            ("2601020230C5,NTRFA", "2026-02-28 2026-01-02", 1),
            ("2710010230C5,NTRFA", "2028-02-29 2027-10-01", 1),
            ("0002300230C5,NTRFA", "2000-02-29 2000-02-29", 2),
            ("2602280301C5,NTRFA", "2026-03-01 2026-02-28", 0),
        ]
        for row in rows {
            let reading = try BankReading(mt: Self.text(row.line))
            #expect(reading.entries.map(\.summary) == [row.days + " 5.00 EUR BOOK"], "\(row.line)")
            #expect(reading.trailer.monthEnds.count == row.count, "\(row.line)")
            #expect(reading.trailer.monthEnds.firstLine == (row.count > 0 ? 5 : nil), "\(row.line)")
        }
    }

    @Test("stand in balances too")
    func balances() throws {
        let reading = try BankReading(mt: Self.text("2602280228C5,NTRFA", opening: "260230", closing: "260229"))
        #expect(reading.ends.first?.balances.prefix(2).map { $0.date?.text } == ["2026-02-28", "2026-02-28"])
        #expect(reading.trailer.monthEnds.count == 2 && reading.trailer.monthEnds.firstLine == 4)
    }

    @Test(
        "of other kinds are no dates",
        arguments: ["260431", "260631", "260931", "261131", "260231", "260132", "261301", "260200", "260001", "26023"]
    )
    func others(day: String) throws {
        let entry = try BankReading(mt: Self.text("\(day)C5,NTRFA\n:61:260228C5,NTRFB", closing: "260227"))
        #expect(entry.trailer.unusable.map(\.problem) == [.date(field: ":61: value date")])
        #expect(entry.trailer.monthEnds == MonthEndDates())
        let booked = try BankReading(mt: Self.text("260227\(day.dropFirst(2))C5,NTRFA\n:61:260228C5,NTRFB"))
        #expect(booked.trailer.unusable.map(\.problem) == [.date(field: ":61: entry date")])
        guard day.count == 6 else { return }
        #expect(throws: BankProblem.malformed(line: 4, ":60F: is no balance")) {
            try BankReading(mt: Self.text("260227C5,NTRFA", opening: day))
        }
    }
}
