import Domain
import Gateway
import SQL
import Storage
import StrictJSON
import Testing
import TributaryTestKit

@Suite("Commission invoices", .timeLimit(.minutes(10)))
struct InvoiceTests {
    private static let january: JSON = ["currency": "USD", "month": "2027-01"]

    private static func legal(_ name: String) -> BusinessProfile {
        BusinessProfile(
            timeZone: "Europe/Berlin",
            legal: .init(name: name, address: ["Airport 5", "10115 Berlin"], country: "DE", taxID: "DE123456789")
        )
    }

    /// Declares who everybody is, and closes the books of January.
    private static func closeJanuary(_ api: APIHarness) async throws {
        try await api.profile(legal("Travel Now GmbH"))
        for merchant in ["airline", "hotel", "taxi"] { try await api.profile(of: merchant, legal("\(merchant) <AG>")) }
        api.clock.advance(to: try #require(RFC3339.timestamp("2027-02-01T03:00:00Z")))
        let progress = try await PeriodCloser(database: api.database).close("travel", at: api.clock.now())
        #expect(!progress.isHeldUp)
    }

    private static func issue(_ merchant: String, by client: APIClient) async throws -> APIReply {
        try await client.post("/v1/merchants/\(merchant)/invoices", january)
    }

    @Test("say what the books say, once for a month", arguments: DatabaseEngine.allCases)
    func issued(_ engine: DatabaseEngine) async throws {
        let contract = try Contract()
        try await APIHarness.with(engine) { api in
            let stage = try await StatementStage(api)
            try await Self.closeJanuary(api)
            let client = stage.trip.client
            let issued = try await Self.issue("airline", by: client)
            #expect(issued.status == 201, "\(issued)")
            #expect(contract.complaints(about: issued, to: "POST /v1/merchants/{id}/invoices") == [])
            let invoice = issued.json
            #expect(invoice["number"] == "TRAVEL-000001")
            #expect((invoice["kind"], invoice["volume"]) == ("invoice", 30_000))
            #expect((invoice["first_day"], invoice["last_day"]) == ("2027-01-01", "2027-01-31"))
            #expect(invoice["from"] == "2026-12-31T23:00:00.000Z")
            #expect(
                invoice["items"] == [
                    ["kind": "withheld", "net": 3_030, "tax": 576, "total": 3_606],
                    ["kind": "returned", "net": -1_010, "tax": -192, "total": -1_202],
                ]
            )
            #expect((invoice["net"], invoice["tax"]) == (2_020, 384))
            #expect((invoice["total"], invoice["due"]) == (2_404, 0))
            #expect(invoice.at("recipient/name") == "airline <AG>")
            let again = try await Self.issue("airline", by: client)
            #expect((again.status, again.json) == (200, invoice))
            let none = try await Self.issue("taxi", by: client)
            #expect((none.status, none.code) == (422, "nothing_to_invoice"))
            let hotel = try await Self.issue("hotel", by: client)
            #expect(hotel.json["number"] == "TRAVEL-000002", "\(hotel)")
            #expect(hotel.json["items"] == [["kind": "kept_by_psp", "net": 725, "tax": 0, "total": 725]])
        }
    }

    @Test("have numbers without gaps, however many are issued at once", arguments: DatabaseEngine.allCases)
    func gapless(_ engine: DatabaseEngine) async throws {
        try await APIHarness.with(engine) { api in
            let stage = try await StatementStage(api)
            try await Self.closeJanuary(api)
            let client = stage.trip.client
            let replies = try await withThrowingTaskGroup(of: APIReply.self) { group in
                for number in 0..<12 {
                    let merchant = ["airline", "hotel", "taxi"][number % 3]
                    group.addTask { try await Self.issue(merchant, by: client) }
                }
                var replies: [APIReply] = []
                for try await reply in group { replies.append(reply) }
                return replies
            }
            #expect(replies.count { $0.status == 201 } == 2, "\(replies)")
            #expect(replies.count { $0.status == 200 } == 6, "\(replies)")
            let numbers = Set(replies.compactMap { $0.json["number"]?.stringValue })
            #expect(numbers == ["TRAVEL-000001", "TRAVEL-000002"])
        }
    }

    @Test(
        "stand in the audit trail at the real time, whatever the test clock shows",
        arguments: DatabaseEngine.allCases
    )
    func audited(_ engine: DatabaseEngine) async throws {
        try await APIHarness.with(engine) { api in
            let stage = try await StatementStage(api)
            try await Self.closeJanuary(api)
            let client = stage.trip.client
            let moved = try await client.post("/v1/test-clock/advance", ["by_seconds": 864_000])
            #expect(moved.status == 200, "\(moved)")
            let issued = try await Self.issue("airline", by: client)
            #expect(issued.status == 201, "\(issued)")
            let now = api.clock.now()
            let shown = try #require(issued.json["issued_at"]?.stringValue.flatMap { RFC3339.timestamp($0) })
            #expect(shown > now)
            let entries = try await api.database.read { session in
                var filter = AuditTrailTable.Filter(marketplace: "travel")
                filter.act = .issueInvoice
                return try AuditTrailTable.list(filter, limit: 10, in: session)
            }
            let entry = try #require(entries.first)
            #expect(entries.count == 1 && entry.at <= now, "\(entries)")
        }
    }

    @Test("never change and are never taken back", arguments: DatabaseEngine.allCases)
    func kept(_ engine: DatabaseEngine) async throws {
        try await APIHarness.with(engine) { api in
            let stage = try await StatementStage(api)
            try await Self.closeJanuary(api)
            #expect(try await Self.issue("airline", by: stage.trip.client).status == 201)
            for change: SQL in ["UPDATE invoice SET volume = 0", "DELETE FROM invoice"] {
                await #expect(throws: SQLError.constraintViolation(constraint: "append_only")) {
                    try await api.database.write { session in try session.run(change) }
                }
            }
        }
    }

    @Test(
        "are seen and printed with the merchant's own key, and by no other merchant",
        arguments: DatabaseEngine.allCases
    )
    func seen(_ engine: DatabaseEngine) async throws {
        let contract = try Contract()
        try await APIHarness.with(engine) { api in
            let stage = try await StatementStage(api)
            try await Self.closeJanuary(api)
            let id = try #require(try await Self.issue("airline", by: stage.trip.client).json["id"]?.stringValue)
            let own = try await api.client("merchant:airline")
            let listed = try await own.get("/v1/merchants/airline/invoices")
            #expect(contract.complaints(about: listed, to: "GET /v1/merchants/{id}/invoices") == [])
            #expect(listed.json["data"]?.arrayValue?.map { $0["id"]?.stringValue } == [id])
            let shown = try await own.get("/v1/invoices/\(id)")
            #expect(contract.complaints(about: shown, to: "GET /v1/invoices/{id}") == [])
            let page = try await own.get("/v1/invoices/\(id)?format=html")
            let text = String(decoding: page.bytes, as: UTF8.self)
            for words in ["TRAVEL-000001", "airline &lt;AG&gt;", "DE123456789", ">24.04<", "19 %", "withheld"] {
                #expect(text.contains(words), "\(words)")
            }
            let file = try await own.get("/v1/invoices/\(id)?format=pdf")
            #expect(file.bytes.starts(with: "%PDF-".utf8))
            let hotel = try await api.client("merchant:hotel")
            #expect(try await hotel.get("/v1/invoices/\(id)").status == 404)
            #expect(try await hotel.get("/v1/merchants/airline/invoices").status == 404)
            #expect(try await Self.issue("airline", by: own).status == 403)
            let csv = try await own.get("/v1/invoices/\(id)?format=csv")
            #expect((csv.status, csv.errors) == (422, ["?format invalid_parameter"]))
        }
    }

    @Test("are refused with what is missing")
    func refusals() async throws {
        try await APIHarness.with(.sqlite) { api in
            let stage = try await StatementStage(api)
            let client = stage.trip.client
            let early = try await Self.issue("airline", by: client)
            #expect((early.status, early.code) == (409, "period_not_closed"))
            try await Self.closeJanuary(api)
            try await api.profile(of: "airline", BusinessProfile(timeZone: "Europe/Berlin"))
            let nameless = try await Self.issue("airline", by: client)
            #expect((nameless.status, nameless.code) == (409, "legal_entity_missing"))
            for month in ["2027-1", "2027-13", "January", "2027-01-01"] {
                let refused = try await client.post(
                    "/v1/merchants/airline/invoices",
                    ["currency": "USD", "month": .string(month)]
                )
                #expect((refused.status, refused.errors) == (422, ["/month not_allowed"]), "\(month): \(refused)")
            }
            #expect(try await Self.issue("nobody", by: client).status == 404)
        }
    }
}
