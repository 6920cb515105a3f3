import Domain
import StrictJSON
import Testing
import TributaryTestKit

@Suite("Reading orders", .timeLimit(.minutes(10)))
struct OrderReadingTests {
    @Test("page by page shows each once, newest first", arguments: DatabaseEngine.allCases)
    func pages(_ engine: DatabaseEngine) async throws {
        try await APIHarness.with(engine) { api in
            let client = try await api.client("checkout")
            var placed: [String] = []
            for number in 0..<5 {
                let body = OrderBody.trip.with("reference", .string("cart-\(number)"))
                let reply = try await client.post("/v1/orders", body, key: "key-\(number)")
                placed.append(try #require(reply.json["id"]?.stringValue))
            }
            var seen: [String] = []
            var query = "?limit=2"
            while true {
                let page = try await client.get("/v1/orders\(query)")
                seen += (page.json["data"]?.arrayValue ?? []).compactMap { $0["id"]?.stringValue }
                guard page.json["has_more"] == true, let last = seen.last else { break }
                query = "?limit=2&starting_after=\(last)"
            }
            #expect(seen == placed.reversed())
            let found = try await client.get("/v1/orders?reference=cart-3")
            #expect(found.json.at("data/0/id")?.stringValue == placed[3])
            #expect(found.json["data"]?.arrayValue?.count == 1)
        }
    }

    @Test("filters by status and time", arguments: DatabaseEngine.allCases)
    func filters(_ engine: DatabaseEngine) async throws {
        try await APIHarness.with(engine) { api in
            let client = try await api.client("operator", "checkout")
            await api.psp.script("tok_airline", .authorize, .init(.decline("generic")))
            let refused = try await client.post("/v1/orders", OrderBody.trip, key: "a")
            let paid = try await client.post("/v1/orders", OrderBody.trip, key: "b")
            func ids(_ query: String) async throws -> [JSON?] {
                try await client.get("/v1/orders?\(query)").json["data"]?.arrayValue?.map { $0["id"] } ?? []
            }
            #expect(try await ids("status=failed") == [refused.json["id"]])
            #expect(try await ids("status=paid") == [paid.json["id"]])
            #expect(try await ids("status=paid&created_after=2020-01-01T00:00:00Z").count == 1)
            #expect(try await ids("created_after=2020-01-01T00%3A00%3A00%2B01:00").count == 2)
            #expect(try await ids("created_after=2099-01-01T00:00:00Z").isEmpty)
        }
    }

    @Test(
        "refuses a query it does not understand",
        arguments: [
            ("limit=0", "?limit invalid_parameter"), ("limit=101", "?limit invalid_parameter"),
            ("limit=two", "?limit invalid_parameter"), ("status=lost", "?status invalid_parameter"),
            ("created_after=yesterday", "?created_after invalid_parameter"),
            ("starting_after=pay_1", "?starting_after invalid_parameter"),
            ("stauts=paid", "?stauts unknown_parameter"), ("limit=1&limit=2", "?limit duplicate_parameter"),
            ("reference=%zz", "?reference invalid_parameter"), ("reference=%00", "?reference invalid_parameter"),
        ]
    )
    func queries(_ query: String, _ error: String) async throws {
        try await APIHarness.with(.sqlite) { api in
            let reply = try await api.client("checkout").get("/v1/orders?\(query)")
            #expect((reply.status, reply.errors) == (422, [error]), "\(reply)")
        }
    }

    @Test("refuses a query where none belongs")
    func noQuery() async throws {
        try await APIHarness.with(.sqlite) { api in
            let client = try await api.client("checkout")
            let placed = try await client.post("/v1/orders", OrderBody.trip, key: "a")
            let order = try #require(placed.json["id"]?.stringValue)
            let payment = try #require(placed.json.at("payments/0/id")?.stringValue)
            for path in ["/v1/orders/\(order)", "/v1/payments/\(payment)", "/v1/merchants/airline"] {
                let reply = try await client.get(path + "?expand=all")
                #expect((reply.status, reply.errors) == (422, ["?expand unknown_parameter"]), "\(path)")
            }
            let placing = try await client.post("/v1/orders?dry=1", OrderBody.trip, key: "b")
            #expect((placing.status, placing.errors) == (422, ["?dry unknown_parameter"]))
            #expect(await api.psp.count(.authorize) == 2)
        }
    }

    @Test("tells the history in order and in pages", arguments: DatabaseEngine.allCases)
    func history(_ engine: DatabaseEngine) async throws {
        try await APIHarness.with(engine) { api in
            let client = try await api.client("checkout")
            let placed = try await client.post("/v1/orders", OrderBody.trip, key: "a")
            let path = "/v1/orders/\(try #require(placed.json["id"]?.stringValue))/events"
            let all = try #require(try await client.get("\(path)?limit=100").json["data"]?.arrayValue)
            #expect(all.map { $0["sequence"] } == (1...Int64(all.count)).map { .integer($0) })
            #expect(all.contains { $0["type"] == "order.accepted" })
            let page = try await client.get("\(path)?limit=2&starting_after=1")
            #expect(page.json["data"]?.arrayValue == Array(all[1...2]))
            #expect(page.json["has_more"] == true)
            let wrong = try await client.get("\(path)?starting_after=x")
            #expect(wrong.errors == ["?starting_after invalid_parameter"])
        }
    }

    @Test("keeps marketplaces apart", arguments: DatabaseEngine.allCases)
    func marketplaces(_ engine: DatabaseEngine) async throws {
        try await APIHarness.with(engine) { api in
            try await TestMarketplace(id: "other", baseURL: "http://127.0.0.1:1").write(to: api.database)
            let placed = try await api.client("checkout").post("/v1/orders", OrderBody.trip, key: "a")
            let order = try #require(placed.json["id"]?.stringValue)
            let payment = try #require(placed.json.at("payments/0/id")?.stringValue)
            let merchant = try #require(placed.json.at("payments/0/merchant")?.stringValue)
            let stranger = try await api.client("checkout", "operator", of: "other")
            let paths = [
                "/v1/orders/\(order)", "/v1/orders/\(order)/events", "/v1/payments/\(payment)",
                "/v1/merchants/\(merchant)",
            ]
            for path in paths {
                let reply = try await stranger.get(path)
                #expect((reply.status, reply.code) == (404, "not_found"), "\(path)")
                #expect(try await api.client("operator").get(path).status == 200, "\(path)")
            }
            #expect(try await stranger.get("/v1/orders").json["data"]?.arrayValue?.isEmpty == true)
        }
    }

    @Test("with a merchant's key shows its own payments only, once they count", arguments: DatabaseEngine.allCases)
    func merchantKeys(_ engine: DatabaseEngine) async throws {
        try await APIHarness.with(engine) { api in
            let client = try await api.client("checkout")
            let airline = try await api.client("merchant:airline")
            let body = OrderBody.trip.with("metadata", ["a": "b"]).with("reference", "cart-1")
            let placed = try await client.post("/v1/orders", body, key: "a")
            let order = try #require(placed.json["id"]?.stringValue)
            let payments = (placed.json["payments"]?.arrayValue ?? []).compactMap { $0["id"]?.stringValue }
            let own = try await airline.get("/v1/payments/\(payments[0])")
            #expect((own.status, own.json["external_identifier"]) == (200, "airline"))
            #expect(own.json["order"]?.stringValue == order)
            #expect(own.json["order_reference"] == nil)
            let shown = try await client.get("/v1/payments/\(payments[0])").json
            #expect((shown["order"]?.stringValue, shown["order_reference"]) == (order, "cart-1"))
            #expect(shown == placed.json.at("payments/0"))
            #expect(try await airline.get("/v1/payments/\(payments[1])").status == 404)
            for path in ["/v1/orders", "/v1/orders/\(order)", "/v1/orders/\(order)/events"] {
                #expect(try await airline.get(path).status == 403, "\(path)")
            }
            let merchants = try await airline.get("/v1/merchants").json["data"]?.arrayValue ?? []
            #expect(merchants.map { $0["external_identifier"] } == ["airline"])
            await api.psp.script("tok_hotel", .authorize, .init(.decline("generic")))
            let refused = try await client.post("/v1/orders", OrderBody.trip, key: "b")
            let hidden = try #require(refused.json.at("payments/0/id")?.stringValue)
            #expect(try await airline.get("/v1/payments/\(hidden)").status == 404)
        }
    }
}
