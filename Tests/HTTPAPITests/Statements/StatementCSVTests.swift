import Domain
import HTTPTransport
import SQL
import Storage
import StrictJSON
import Testing
import TributaryTestKit

@Suite("Statements as CSV", .timeLimit(.minutes(1)))
struct StatementCSVTests {
    @Test("have a row for each amount, between the balances", arguments: DatabaseEngine.allCases)
    func rows(_ engine: DatabaseEngine) async throws {
        try await APIHarness.with(engine) { api in
            let stage = try await StatementStage(api)
            let reply = try await stage.airline("&format=csv")
            #expect(reply.status == 200)
            #expect(reply.header("Content-Type") == "text/csv")
            #expect(reply.header("Content-Disposition")?.hasPrefix("attachment; filename=\"statement-mer_") == true)
            let text = String(decoding: reply.bytes, as: UTF8.self)
            #expect(text.hasSuffix("\n"))
            let rows = text.split(separator: "\n").map { Self.cells($0) }
            let items = rows.map { "\($0[1]) \($0[2]) \($0[3]) \($0[6])" }
            #expect(
                items == [
                    "section item amount kind", "balance opening_balance 0 ", "balance gross 30000 capture",
                    "balance commission -3030 capture", "balance commission_tax -576 capture",
                    "balance refunds -10000 refund", "balance commission_returned 1010 refund",
                    "balance commission_tax_returned 192 refund", "balance payouts -5000 payout",
                    "balance closing_balance 12596 ",
                ]
            )
            #expect(rows.allSatisfy { $0.count == 15 })
            #expect(rows[2][12] == "seat, \"12A\"")
            #expect(rows[2][8] == stage.trip.payments[0])
            #expect(rows[8][11] == stage.payout.id.text)
        }
    }

    @Test("hold what PSPs pay directly in a section of its own", arguments: DatabaseEngine.allCases)
    func direct(_ engine: DatabaseEngine) async throws {
        try await APIHarness.with(engine) { api in
            let stage = try await StatementStage(api)
            let reply = try await stage.trip.client.get("/v1/merchants/hotel/statement?currency=USD&format=csv")
            let rows = String(decoding: reply.bytes, as: UTF8.self).split(separator: "\n").map { Self.cells($0) }
            #expect(
                rows.dropFirst().map { "\($0[1]) \($0[2]) \($0[3])" } == [
                    "balance opening_balance 0", "direct gross 15000", "direct commission_by_psp -750",
                    "direct refunds -500", "direct commission_by_psp 25", "balance closing_balance 0",
                ]
            )
        }
    }

    static let forms: [(accept: String?, query: String, type: String)] = [
        (nil, "", "application/json"), ("text/csv", "", "text/csv"), ("*/*", "", "application/json"),
        ("text/html, text/csv;q=0.9, application/json", "", "text/csv"),
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
            #expect(rows.count == 1110)
            let payouts = Set(rows.map { $0[11] }.filter { $0.hasPrefix("po_") })
            #expect(payouts.count == 1101)
            #expect(rows.last.map { "\($0[2]) \($0[3])" } == "closing_balance 11496")
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
