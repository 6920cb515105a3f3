import StrictJSON
import Testing
import TributaryTestKit

@Suite("Bank files in the forms that banks really write", .timeLimit(.minutes(10)))
struct MTVariantTests {
    private static let intraday = """
        \u{1}:20:INTRADAY
        :25:DE02120300000000202051
        :28C:1/1
        :34F:EURC0,00
        :13D:2602281030+0100
        :61:2602280228C3,50NTRFE2E-1//BANK-1
        :86:one
        :90D:0EUR0,00
        :90C:1EUR3,50
        -\u{3}
        """
    private static let thirtyDays = """
        :20:FEBRUARY
        :25:DE02120300000000202051
        :28C:2/1
        :60F:C260130EUR100,00
        :61:2602270227C1,00NTRFE2E-2//BANK-2
        :61:2602300230C5,00NTRFE2E-3//BANK-3
        :62F:C260230EUR106,00
        -

        """

    @Test("are taken in, and what was read otherwise than written is said", arguments: DatabaseEngine.allCases)
    func taken(_ engine: DatabaseEngine) async throws {
        try await ReconcilingPlace.with(engine) { place in
            try place.work.write(Self.intraday, to: "intraday.sta")
            try place.work.write(Self.thirtyDays, to: "february.sta")
            let files = ["intraday.sta", "february.sta", "--dry-run"]
            let found = try await place.reconcile(files + ["--format", "json"])
            #expect([0, 1].contains(found.status), "\(found.err)")
            let inputs = try JSON.parse(Array(found.out.utf8))["inputs"]?.arrayValue ?? []
            try #require(inputs.count == 2)
            #expect(inputs[0]["rows"] == 1 && inputs[0]["notes"] == [])
            #expect(inputs[1]["rows"] == 2 && inputs[1]["unusable_rows"] == 0)
            let note = try #require(inputs[1]["notes"]?.arrayValue?.first)
            #expect(note["code"] == "month_end_dates" && note["count"] == 3 && note["first_line"] == 6)
            let page = try await place.reconcile(files)
            #expect(
                page.out.contains(
                    """
                    february.sta: Dates of February that the calendar does not have were read as the month's last day. \
                    (3, the first in line 6)
                    """
                ),
                "\(page.out)"
            )
            try place.work.write(String(Self.intraday.dropLast(2)), to: "cut.sta")
            let cut = try await place.reconcile(["cut.sta", "--dry-run"])
            #expect(cut.status == 2 && cut.err.contains("ends before it is complete"), "\(cut.err)")
        }
    }
}
