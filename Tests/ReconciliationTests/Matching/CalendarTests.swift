import AdapterKit
import Domain
import Reconciliation
import Testing

@Suite("Days")
struct CalendarTests {
    @Test(
        "close at the cut-off of the zone",
        arguments: [
            (0, 1440, "2026-11-10"), (-601, 1440, "2026-11-09"), (-600, 1440, "2026-11-10"),
            (840, 1440, "2026-11-11"), (839, 1440, "2026-11-10"), (0, 600, "2026-11-11"), (0, 601, "2026-11-10"),
        ]
    )
    func days(offset: Int, cutOff: Int, day: String) throws {
        let calendar = try #require(BusinessCalendar(offsetMinutes: offset, cutOffMinutes: cutOff))
        #expect(calendar.day(of: Case.moment).description == day)
    }

    @Test("have offsets and cut-offs that exist", arguments: [(1081, 1440), (-1081, 1440), (0, 0), (0, 1441)])
    func ranges(offset: Int, cutOff: Int) {
        #expect(BusinessCalendar(offsetMinutes: offset, cutOffMinutes: cutOff) == nil)
    }

    @Test("are read as ISO 8601 writes them, and written again")
    func text() {
        for text in ["1970-01-01", "2000-02-29", "2026-11-21", "9999-12-31", "0001-01-01"] {
            #expect(CalendarDay(text)?.description == text)
        }
        #expect(CalendarDay("2026-11-21 10:00:00") == CalendarDay("2026-11-21"))
        for text in ["", "2026-11-2", "2026-02-29", "2026-13-01", "2026-00-01", "2026-01-00", "2026/01/01", "x"] {
            #expect(CalendarDay(text) == nil)
        }
    }

    @Test(
        "make what is unmet wait, late, then missing",
        arguments: [
            ("2026-11-10", nil), ("2026-11-13", nil), ("2026-11-14", .late), ("2026-11-17", .late),
            ("2026-11-18", .missingAtPSP), ("2026-11-01", nil),
        ] as [(String, BreakType?)]
    )
    func ages(asOf: String, type: BreakType?) async throws {
        var example = try Case()
        example.expect(1_000)
        example.inputs.scope.asOf = CalendarDay(asOf)
        let result = try await example.inputs.reconcile()
        #expect(result.breaks.map(\.type) == [type].compactMap(\.self))
        // What is posted behind the day that ages are counted to is nothing to wait for.
        #expect(result.summary.waiting == (type == nil && asOf >= "2026-11-10" ? 1 : 0))
        #expect(result.breaks.allSatisfy { $0.amount == 1_000 && $0.day == "2026-11-10" })
    }

    @Test(
        "outside of those asked for are not reported",
        arguments: [
            ("2026-11-10", "2026-11-10", 1), ("2026-11-11", nil, 0), (nil, "2026-11-09", 0), (nil, nil, 1),
        ] as [(String?, String?, Int)]
    )
    func period(from: String?, to: String?, count: Int) async throws {
        var example = try Case()
        example.expect(1_000)
        example.inputs.scope.asOf = CalendarDay("2026-12-01")
        example.inputs.scope.from = from.flatMap { CalendarDay($0) }
        example.inputs.scope.to = to.flatMap { CalendarDay($0) }
        #expect(try await example.inputs.reconcile().breaks.count == count)
    }

    @Test("are counted to the last one that an input names, not to today")
    func lastDay() async throws {
        var example = try Case()
        example.expect(1_000)
        try example.report("1.00", .fee) { $0.paidOn = SettlementDate("2026-11-15") }
        let result = try await example.inputs.reconcile()
        #expect(result.summary.asOf == CalendarDay("2026-11-15") && result.types == [.late])
        #expect(try await Inputs().reconcile().summary.asOf == nil)
    }
}
