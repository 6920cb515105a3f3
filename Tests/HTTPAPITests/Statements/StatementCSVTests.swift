import Domain
import HTTPTransport
import SQL
import Storage
import StrictJSON
import Testing
import TributaryTestKit

@Suite("Statements as CSV", .timeLimit(.minutes(10)))
struct StatementCSVTests {
    @Test("have a row for each movement, with decimals and the balance behind it", arguments: DatabaseEngine.allCases)
    func rows(_ engine: DatabaseEngine) async throws {
        try await APIHarness.with(engine) { api in
            let stage = try await StatementStage(api)
            let reply = try await stage.airline("&format=csv")
            #expect(reply.status == 200)
            #expect(reply.header("Content-Type") == "text/csv")
            let name = "statement-Airline-USD-2027-01-01-2027-01-31.csv"
            #expect(
                reply.header("Content-Disposition") == "attachment; filename=\"\(name)\"; filename*=UTF-8''\(name)"
            )
            let text = String(decoding: reply.bytes, as: UTF8.self)
            #expect(text.hasSuffix("\n"))
            let rows = text.split(separator: "\n").map { Self.cells($0) }
            #expect(
                rows.map { ([$0[3]] + $0[4...6] + $0[13...15]).joined(separator: " ") } == [
                    "kind amount commission commission_tax net balance currency", "opening_balance     0.00 USD",
                    "capture 300.00 -30.30 -5.76 263.94 263.94 USD", "refund -100.00 10.10 1.92 -87.98 175.96 USD",
                    "payout -50.00   -50.00 125.96 USD", "closing_balance     125.96 USD",
                ]
            )
            #expect(rows.allSatisfy { $0.count == 32 })
            #expect(rows[1][0] == "2027-01-01" && rows[5][0] == "2027-01-31")
            #expect(rows[2][28] == "seat, \"12A\"")
            #expect(rows[2][24] == stage.trip.payments[0])
            #expect(!rows[2][29].isEmpty)
            #expect(rows[4][27] == stage.payout.id.text)
        }
    }

    @Test("hold what PSPs pay directly in columns of its own", arguments: DatabaseEngine.allCases)
    func direct(_ engine: DatabaseEngine) async throws {
        try await APIHarness.with(engine) { api in
            let stage = try await StatementStage(api)
            let reply = try await stage.trip.client.get("/v1/merchants/hotel/statement?currency=USD&format=csv")
            let rows = String(decoding: reply.bytes, as: UTF8.self).split(separator: "\n").map { Self.cells($0) }
            #expect(
                rows.dropFirst(2).dropLast().map { ([$0[3]] + $0[13...14] + $0[16...22]).joined(separator: " ") } == [
                    "capture 0.00 0.00 150.00 -7.50     142.50", "refund 0.00 0.00 -5.00 0.25     -4.75",
                ]
            )
        }
    }

    @Test("have the days and the hours of the time zone that is asked for")
    func local() async throws {
        try await APIHarness.with(.sqlite) { api in
            let stage = try await StatementStage(api)
            let reply = try await stage.airline("&format=csv&time_zone=Asia/Tokyo")
            let rows = String(decoding: reply.bytes, as: UTF8.self).split(separator: "\n").map { Self.cells($0) }
            #expect(rows[1].prefix(3) == ["2027-01-01", "00:00:00", "UTC+09:00"])
            #expect(rows[5].prefix(3) == ["2027-01-31", "23:59:59", "UTC+09:00"])
            let summer = try await stage.airline("&from=2026-03-29&to=2026-03-30&time_zone=Europe/Berlin")
            #expect(summer.json["time_zone"] == "Europe/Berlin")
            #expect(summer.json["from"] == "2026-03-28T23:00:00.000Z")
            #expect(summer.json["to"] == "2026-03-29T22:00:00.000Z")
            for zone in ["Mars/Olympus", "../etc/passwd", "", "Europe"] {
                let refused = try await stage.airline("&time_zone=\(zone)")
                #expect((refused.status, refused.errors) == (422, ["?time_zone invalid_parameter"]), "\(zone)")
            }
        }
    }

    static let forms: [(accept: String?, query: String, type: String)] = [
        (nil, "", "application/json"), ("text/csv", "", "text/csv"), ("*/*", "", "application/json"),
        ("text/html, text/csv;q=0.9, application/json", "", "text/html"), ("application/pdf", "", "application/pdf"),
        (nil, "&format=camt053", "application/xml"), ("application/xml", "", "application/xml"),
        (nil, "&format=pdf", "application/pdf"), ("application/pdf", "&format=html", "text/html"),
        ("application/json, text/csv", "", "application/json"), ("text/csv", "&format=json", "application/json"),
        ("application/json", "&format=csv", "text/csv"), ("image/png", "", "application/json"),
        ("TEXT/CSV", "", "text/csv"),
    ]

    @Test("are what the query asks for, else what is accepted first")
    func forms() async throws {
        try await APIHarness.with(.sqlite) { api in
            let client = try await api.client("operator")
            for form in Self.forms {
                let headers = form.accept.map { [HTTPHeader("Accept", $0)] } ?? []
                let path = "/v1/merchants/airline/statement?currency=USD\(form.query)"
                let reply = try await client.send(.get, path, headers: headers)
                #expect(reply.header("Content-Type") == form.type, "\(form)")
            }
        }
    }

    @Test("longer than one page are whole", arguments: DatabaseEngine.allCases)
    func long(_ engine: DatabaseEngine) async throws {
        try await APIHarness.with(engine) { api in
            let stage = try await StatementStage(api)
            let (merchant, now) = (stage.payout.merchant, api.clock.now())
            try await api.database.write { session in
                var ids = IdentifierSource()
                for number in 1...1100 {
                    let draft = try PayoutDraft(
                        marketplace: "travel",
                        merchant: merchant,
                        amount: TestCheckout.dollars(1),
                        reference: "r\(number)",
                        paidAt: nil,
                        origin: .operator
                    )
                    let payout = Payout(draft, id: ids.make(at: now), at: now)
                    try PayoutTable.insert(payout, covers: "{}", entry: ids.make(at: now), in: session)
                }
            }
            let reply = try await stage.airline("&format=csv")
            let rows = String(decoding: reply.bytes, as: UTF8.self).split(separator: "\n").map { Self.cells($0) }
            #expect(rows.count == 1106)
            let payouts = Set(rows.map { $0[27] }.filter { $0.hasPrefix("po_") })
            #expect(payouts.count == 1101)
            #expect(rows.last.map { "\($0[3]) \($0[14])" } == "closing_balance 114.96")
        }
    }

    /// The fields of a line (RFC 4180).
    private static func cells(_ line: Substring) -> [String] {
        var cells = [""]
        var isQuoted = false
        for character in line {
            switch character {
            case "\"":
                if !isQuoted, cells[cells.count - 1].isEmpty == false { cells[cells.count - 1].append("\"") }
                isQuoted.toggle()
            case "," where !isQuoted: cells.append("")
            default: cells[cells.count - 1].append(character)
            }
        }
        return cells
    }
}
