import Domain
import StrictJSON
import Testing
import TributaryTestKit

@Suite("GET /v1/merchants/{id}/statement", .timeLimit(.minutes(10)))
struct StatementTests {
    /// 300.00 USD at 10 % and 0.30, taxed at 19 %; a third of it given back; 50.00 USD paid out.
    private static let balance: JSON = [
        "opening": 0, "gross": 30_000, "commission": -3_030, "commission_tax": -576, "taxes": 0, "tips": 0,
        "shipping": 0, "psp_fees": 0, "refunds": -10_000, "commission_returned": 1_010, "commission_tax_returned": 192,
        "taxes_returned": 0, "tips_returned": 0, "shipping_returned": 0,
        "borne_by_marketplace": 0, "chargebacks": 0, "chargeback_reversals": 0, "payouts": -5_000,
        "payout_reversals": 0, "adjustments": 0, "closing": 12_596,
    ]

    @Test("says what is owed, and each line that brought it there", arguments: DatabaseEngine.allCases)
    func owed(_ engine: DatabaseEngine) async throws {
        let contract = try Contract()
        try await APIHarness.with(engine) { api in
            let stage = try await StatementStage(api)
            let reply = try await stage.airline()
            #expect(reply.status == 200, "\(reply)")
            let complaints = contract.complaints(about: reply, to: "GET /v1/merchants/{id}/statement")
            #expect(complaints == [])
            #expect(reply.json["balance"] == Self.balance)
            #expect(reply.json["external_identifier"] == "airline")
            #expect(reply.json["from"] == "2027-01-01T00:00:00.000Z")
            #expect(reply.json["to"] == "2027-02-01T00:00:00.000Z")
            #expect(reply.json.at("direct/gross") == 0)
            let lines = reply.json.at("lines/data")?.arrayValue ?? []
            #expect(lines.map { $0["kind"] } == ["capture", "refund", "payout"])
            #expect(lines.map { $0["amount"] } == [26_394, -8_798, -5_000])
            #expect(lines[0]["balance"] == ["gross": 30_000, "commission": -3_030, "commission_tax": -576])
            for line in lines.prefix(2) {
                #expect(line["order"]?.stringValue == stage.trip.order)
                #expect(line["payment"]?.stringValue == stage.trip.payments[0])
                #expect(line["reference"] == "seat, \"12A\"")
                #expect(line["psp_reference"]?.stringValue?.isEmpty == false)
            }
            let order = try await stage.trip.now()
            #expect(lines[1]["refund"] == order.at("refunds/0/id"))
            #expect(lines[2]["payout"]?.stringValue == stage.payout.id.text)
            #expect(lines[2]["reference"] == "SEPA-1")
            #expect(lines[2]["paid_at"]?.stringValue == stage.payout.paidAt.description)
            #expect(lines[2]["order"] == nil)
        }
    }

    @Test("keeps what the PSP pays the merchant directly apart", arguments: DatabaseEngine.allCases)
    func direct(_ engine: DatabaseEngine) async throws {
        let contract = try Contract()
        try await APIHarness.with(engine) { api in
            let stage = try await StatementStage(api)
            let reply = try await stage.trip.client.get("/v1/merchants/hotel/statement?currency=USD")
            #expect(contract.complaints(about: reply, to: "GET /v1/merchants/{id}/statement") == [])
            let balance = reply.json["balance"]?.objectValue ?? []
            #expect(balance.count == 21)
            #expect(balance.allSatisfy { $0.value == 0 }, "\(reply)")
            #expect(
                reply.json["direct"] == [
                    "gross": 15_000, "refunds": -500, "chargebacks": 0, "chargeback_reversals": 0,
                    "commission_by_psp": -725, "commission_tax_by_psp": 0, "taxes_by_psp": 0, "tips_by_psp": 0,
                    "shipping_by_psp": 0, "commission_invoiced": 0, "commission_tax_invoiced": 0, "taxes_invoiced": 0,
                ]
            )
            #expect(reply.json.at("lines/data/0/direct") == ["gross": 15_000, "commission_by_psp": -750])
            #expect(reply.json.at("lines/data/0/amount") == 0)
            let euros = try await stage.trip.client.get("/v1/merchants/hotel/statement?currency=EUR")
            #expect(euros.json.at("direct/gross") == 0)
            #expect(euros.json.at("lines/data") == [])
        }
    }

    @Test("has its lines in pages, and its sums on each", arguments: DatabaseEngine.allCases)
    func pages(_ engine: DatabaseEngine) async throws {
        try await APIHarness.with(engine) { api in
            let stage = try await StatementStage(api)
            let all = try await stage.airline().json.at("lines/data")?.arrayValue ?? []
            var (found, more): ([JSON], String) = ([], "")
            for number in 1...3 {
                let page = try await stage.airline("&limit=1" + more)
                #expect(page.json["balance"] == Self.balance)
                #expect(page.json.at("lines/has_more") == .bool(number < 3))
                found += page.json.at("lines/data")?.arrayValue ?? []
                more = "&starting_after=" + (found.last?["entry"]?.stringValue ?? "")
            }
            #expect(found == all)
            let hotel = try await stage.trip.client.get("/v1/merchants/hotel/statement?currency=USD")
            let foreign = try #require(hotel.json.at("lines/data/0/entry")?.stringValue)
            for cursor in [foreign, "je_00000000000000000000000000", "seat"] {
                let refused = try await stage.airline("&starting_after=\(cursor)")
                #expect((refused.status, refused.errors) == (422, ["?starting_after invalid_parameter"]))
            }
        }
    }

    @Test("covers a time from its first moment to before its last, and chains", arguments: DatabaseEngine.allCases)
    func times(_ engine: DatabaseEngine) async throws {
        try await APIHarness.with(engine) { api in
            let stage = try await StatementStage(api)
            let early = try await stage.airline("&from=2026-01-01&to=2027-01-01")
            #expect(early.json.at("balance/closing") == 0)
            let late = try await stage.airline("&from=2027-02-01&to=2027-03-01T00:00:00%2B01:00")
            #expect(late.json.at("balance/opening") == 12_596)
            #expect(late.json.at("balance/closing") == 12_596)
            #expect(late.json["to"] == "2027-02-28T23:00:00.000Z")
            #expect(late.json.at("lines/data") == [])
        }
    }

    static let mistakes = [
        ("", ["?currency invalid_parameter"]), ("currency=usd", ["?currency invalid_parameter"]),
        ("currency=XAU", ["?currency invalid_parameter"]),
        ("currency=USD&from=yesterday", ["?from invalid_parameter"]),
        ("currency=USD&from=2027-02-30", ["?from invalid_parameter"]),
        ("currency=USD&from=2027-01-02&to=2027-01-02", ["?to invalid_parameter"]),
        ("currency=USD&to=2027-01-01", ["?to invalid_parameter"]),
        ("currency=USD&format=xml", ["?format invalid_parameter"]),
        ("currency=USD&format=csv&limit=5", ["?limit invalid_parameter"]),
        ("currency=USD&limit=0", ["?limit invalid_parameter"]),
        ("currency=USD&currency=EUR&colour=red", ["?currency duplicate_parameter", "?colour unknown_parameter"]),
    ]

    @Test("is refused with what is wrong, for any merchant alike", arguments: DatabaseEngine.allCases)
    func mistakes(_ engine: DatabaseEngine) async throws {
        try await APIHarness.with(engine) { api in
            let client = try await api.client("operator")
            for (query, errors) in Self.mistakes {
                for merchant in ["airline", "nobody"] {
                    let reply = try await client.get("/v1/merchants/\(merchant)/statement?\(query)")
                    #expect((reply.status, reply.errors) == (422, errors), "\(query): \(reply)")
                }
            }
        }
    }

    @Test("is a merchant's own with its own key, and others look like nobody", arguments: DatabaseEngine.allCases)
    func ownKey(_ engine: DatabaseEngine) async throws {
        try await APIHarness.with(engine) { api in
            let stage = try await StatementStage(api)
            let airline = try await api.client("merchant:airline")
            #expect(try await stage.airline(by: airline).json == stage.airline().json)
            #expect(try await stage.airline(by: api.client("checkout")).status == 403)
            let found = try await stage.trip.client.get("/v1/merchants/hotel").json["id"]?.stringValue
            let hotel = try #require(found)
            var answers: Set<JSON> = []
            for name in ["hotel", hotel, "nobody", "mer_00000000000000000000000000", "%FF"] {
                for query in ["", "&format=csv", "&starting_after=je_00000000000000000000000000"] {
                    let reply = try await airline.get("/v1/merchants/\(name)/statement?currency=USD\(query)")
                    #expect(reply.status == 404)
                    answers.insert(reply.json.with("request_id", nil))
                }
            }
            #expect(answers.count == 1)
            #expect(try await stage.airline(by: api.client("reader")).status == 403)
            #expect(try await stage.airline(by: api.anonymous).status == 401)
            try await TestMarketplace(id: "other", baseURL: "http://127.0.0.1:1").write(to: api.database)
            let stranger = try await stage.airline(by: api.client("operator", of: "other"))
            #expect(stranger.json.at("balance/closing") == 0)
            let id = try #require(try await stage.airline().json["merchant"]?.stringValue)
            let path = "/v1/merchants/\(id)/statement?currency=USD"
            #expect(try await api.client("operator", of: "other").get(path).status == 404)
        }
    }
}
