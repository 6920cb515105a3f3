import Domain
import SQL
import Storage
import StrictJSON
import Testing
import TributaryTestKit

@Suite("Lists", .timeLimit(.minutes(10)))
struct ListTests {
    /// The lists of everything, each with the template of its items.
    static let lists = [
        "orders", "payments", "refunds", "disputes", "payouts", "breaks", "attention", "holds", "psp-accounts",
        "callback-endpoints", "callbacks", "psp-webhooks", "merchants", "balances",
        "merchants/airline/balances",
    ]

    @Test("are what the document promises, and so is what they list", arguments: DatabaseEngine.allCases)
    func contract(_ engine: DatabaseEngine) async throws {
        let contract = try Contract()
        try await APIHarness.with(engine) { api in
            let stage = try await AccessStage(api)
            _ = try await OrderStage(api, OrderStage.manual, key: "held")
            try await Self.refuse("sim-a", in: api)
            let client = try await api.client("support")
            for row in AccessRow.all where row.method == "GET" && row.expected(.support) == .shown {
                guard row.path.utf8.starts(with: "/v1/".utf8), row.expected(.none) == .status(401) else { continue }
                let reply = try await client.get(stage.path(of: row.path))
                #expect(contract.complaints(about: reply, to: row.operation).isEmpty, "\(row.operation): \(reply)")
            }
            for list in Self.lists {
                let reply = try await client.get("/v1/\(list)")
                #expect(reply.json["data"]?.arrayValue?.isEmpty == false, "\(list): \(reply)")
            }
        }
    }

    /// Writes down that the PSP refuses an account's credentials.
    private static func refuse(_ account: String, in api: APIHarness) async throws {
        let now = api.clock.now()
        let refusal = CredentialRefusal(
            marketplace: "travel",
            account: account,
            objection: .unauthenticated,
            call: "capture",
            status: 401,
            code: "invalid_key",
            since: now,
            refusedAt: now
        )
        try await api.database.write { session in try CredentialRefusalTable.save(refusal, in: session) }
    }

    @Test("name an account whose credentials are refused, to who sees all of the marketplace")
    func refusedAccounts() async throws {
        try await APIHarness.with(.sqlite) { api in
            try await Self.refuse("sim-b", in: api)
            let client = try await api.client("support")
            func reasons(_ query: String, _ client: APIClient) async throws -> [JSON?] {
                let reply = try await client.get("/v1/attention\(query)")
                return reply.json["data"]?.arrayValue?.map { $0["reason"] } ?? [nil]
            }
            #expect(try await reasons("", client) == ["credentials_refused"])
            #expect(try await reasons("?reason=credentials_refused", client) == ["credentials_refused"])
            for query in [
                "?reason=overdue", "?currency=USD", "?merchant=airline", "?created%5Blte%5D=2001-01-01T00:00:00Z",
                "?starting_after=sim-b.credentials_refused",
            ] {
                #expect(try await reasons(query, client) == [], "\(query)")
            }
            #expect(try await reasons("?starting_after=sim-a.credentials_refused", client) == ["credentials_refused"])
            let own = try await api.client("merchant:airline")
            #expect(try await reasons("", own) == [])
            #expect(try await reasons("?reason=credentials_refused", own) == [])
            let accounts = try await client.get("/v1/psp-accounts").json["data"]?.arrayValue ?? []
            let shown = accounts.map { account in
                [account["id"], account.at("credentials_refused/code"), account.at("credentials_refused/call")]
            }
            #expect(shown == [["sim-a", nil, nil], ["sim-b", "invalid_key", "capture"], ["sim-c", nil, nil]])
        }
    }

    @Test("go on behind their last item, and show each item once", arguments: DatabaseEngine.allCases)
    func pages(_ engine: DatabaseEngine) async throws {
        try await APIHarness.with(engine) { api in
            let stage = try await AccessStage(api)
            for number in 0..<3 { _ = try await OrderStage(api, OrderStage.manual, key: "held-\(number)") }
            _ = try await stage.trip.ask("refunds", ["amount": 200, "allocate": "proportional"], key: "second")
            for account in ["sim-a", "sim-b"] { try await Self.refuse(account, in: api) }
            let client = try await api.client("operator")
            for list in Self.lists where list != "merchants/airline/balances" {
                let all = try await client.get("/v1/\(list)?limit=100").json["data"]?.arrayValue ?? []
                var (seen, query) = ([JSON](), "limit=1")
                while seen.count <= all.count {
                    let page = try await client.get("/v1/\(list)?\(query)")
                    seen += page.json["data"]?.arrayValue ?? []
                    guard let next = page.json["next"]?.stringValue else { break }
                    query = "limit=1&starting_after=\(next)"
                }
                #expect(seen == all, "\(list)")
            }
        }
    }

    @Test(
        "of balances, merchants and endpoints are narrowed by merchant, currency and status",
        arguments: DatabaseEngine.allCases
    )
    func narrowed(_ engine: DatabaseEngine) async throws {
        try await APIHarness.with(engine) { api in
            _ = try await AccessStage(api)
            let client = try await api.client("operator")
            func names(_ path: String) async throws -> [String] {
                let reply = try await client.get("/v1/\(path)")
                return (reply.json["data"]?.arrayValue ?? []).map { $0["external_identifier"]?.stringValue ?? "none" }
            }
            #expect(try await names("balances") == ["airline", "hotel"])
            #expect(try await names("balances?merchant=hotel") == ["hotel"])
            #expect(try await names("balances?currency=EUR") == [])
            let page = try await client.get("/v1/balances?limit=1")
            let next = try #require(page.json["next"]?.stringValue)
            #expect(try await names("balances?starting_after=\(next)") == ["hotel"])
            for query in [
                "balances?starting_after=hotel", "balances?created%5Bgte%5D=2026-01-01T00:00:00Z",
                "balances?merchant=nobody", "merchants?status=gone", "callback-endpoints?merchant=nobody",
            ] {
                #expect(try await client.get("/v1/\(query)").status == 422, "\(query)")
            }
            #expect(try await names("callback-endpoints?merchant=airline") == ["airline"])
            #expect(try await names("callback-endpoints?merchant=taxi") == [])
            #expect(try await names("merchants?status=paused") == [])
            #expect(try await client.post("/v1/merchants/hotel/pause", .object([])).status == 200)
            #expect(try await names("merchants?status=paused") == ["hotel"])
            #expect(try await names("merchants?status=active&limit=1") == ["agency"])
            let own = try await api.client("merchant:hotel")
            #expect(try await own.get("/v1/merchants?status=active").json["data"] == [])
            #expect(try await own.get("/v1/balances?merchant=airline").status == 422)
        }
    }

    @Test("leave out an order that cannot be read, and so does the feed", arguments: DatabaseEngine.allCases)
    func unreadable(_ engine: DatabaseEngine) async throws {
        try await APIHarness.with(engine) { api in
            let stage = try await AccessStage(api)
            _ = try await OrderStage(api, OrderStage.manual, key: "held")
            api.clock.advance(milliseconds: 2_000)
            let order = stage.trip.order
            func change(_ column: SQL) async throws {
                try await api.database.write { session in
                    try session.run("UPDATE orders SET policy = \(column) WHERE id = \(order)")
                }
            }
            let client = try await api.client("support")
            let counts = ["orders": 1, "payments": 2, "refunds": 0, "disputes": 0]
            try await change("'nonsense ' || policy")
            for (list, count) in counts {
                let reply = try await client.get("/v1/\(list)")
                #expect((reply.status, reply.json["data"]?.arrayValue?.count) == (200, count), "\(list): \(reply)")
            }
            let feed = try await client.get("/v1/events?limit=100")
            #expect(feed.status == 200, "\(feed)")
            let told = feed.json["data"]?.arrayValue?.compactMap { $0.at("data/order/id")?.stringValue } ?? []
            #expect(!told.contains(order))
            try await change("SUBSTR(policy, 10)")
        }
    }

    @Test("are narrowed by what their items have", arguments: DatabaseEngine.allCases)
    func filters(_ engine: DatabaseEngine) async throws {
        try await APIHarness.with(engine) { api in
            let stage = try await AccessStage(api)
            let body = OrderStage.manual.with("metadata", ["trip": "SEA", "class": "2"])
                .with("contexts/1/metadata", ["room": "7"]).with("contexts/1/reference", "r-7")
            let held = try await OrderStage(api, body, key: "held")
            let client = try await api.client("support")
            let payment = try await client.get("/v1/payments/\(stage.trip.payments[0])").json
            let name = try #require(payment["psp_reference"]?.stringValue)
            func ids(_ list: String) async throws -> [String] {
                let reply = try await client.get("/v1/\(list)")
                return (reply.json["data"]?.arrayValue ?? []).compactMap { $0["id"]?.stringValue }
            }
            let (first, second) = (stage.trip.order, held.order)
            #expect(try await ids("orders?metadata%5Btrip%5D=SEA&metadata%5Bclass%5D=2") == [second])
            #expect(try await ids("orders?metadata%5Btrip%5D=sea") == [])
            #expect(try await ids("orders?merchant=hotel") == [second, first])
            #expect(try await ids("orders?merchant=taxi") == [])
            #expect(try await ids("orders?psp_reference=\(name)") == [first])
            #expect(try await ids("orders?created%5Bgte%5D=2099-01-01T00:00:00Z") == [])
            #expect(try await ids("orders?created%5Blte%5D=2099-01-01T00:00:00Z&status=authorized") == [second])
            #expect(try await ids("payments?order=\(first)&merchant=airline") == [stage.trip.payments[0]])
            #expect(try await ids("payments?psp_reference=\(name)") == [stage.trip.payments[0]])
            #expect(try await ids("payments?metadata%5Broom%5D=7") == [held.payments[1]])
            #expect(try await ids("payments?reference=r-7&amount=15000&currency=USD") == [held.payments[1]])
            #expect(try await ids("payments?status=authorized&merchant=airline") == [held.payments[0]])
            #expect(try await ids("refunds?order=\(first)&amount=100&status=succeeded") == [stage.refund])
            #expect(try await ids("refunds?merchant=taxi") == [])
            #expect(try await ids("disputes?status=opened&merchant=airline&amount=5000") == [stage.dispute])
            #expect(try await ids("disputes?status=won") == [])
            #expect(try await ids("payouts?merchant=airline&reference=SEPA-1&status=paid") == [stage.payout])
            #expect(try await ids("payouts?status=failed") == [])
            #expect(try await ids("breaks?status=open&merchant=airline&amount=-30&currency=USD") == [stage.difference])
            #expect(try await ids("breaks?type=late") == [])
            #expect(try await ids("holds?merchant=hotel&amount=15000").count == 1)
            #expect(try await ids("holds?capture_before%5Blte%5D=2001-01-01T00:00:00Z") == [])
            #expect(try await ids("psp-accounts?status=active&psp=simulator") == ["sim-a", "sim-b", "sim-c"])
            #expect(try await ids("callbacks?endpoint=\(stage.endpoint)").contains(stage.callback))
            #expect(try await ids("callbacks?status=dead") == [])
            #expect(try await ids("psp-webhooks?status=applied&psp_account=sim-a").contains(stage.webhook))
        }
    }

    @Test(
        "an order is found by its reference, the one that uses it before one that did",
        arguments: DatabaseEngine.allCases
    )
    func reference(_ engine: DatabaseEngine) async throws {
        try await APIHarness.with(engine) { api in
            let client = try await api.client("checkout")
            let body = OrderBody.trip.with("reference", "cart/7 b")
            await api.psp.script("tok_airline", .authorize, .init(.decline("generic")))
            let failed = try await client.post("/v1/orders", body, key: "a").json["id"]
            let path = "/v1/orders/by-reference/cart%2F7%20b"
            var found = try await client.get(path).json
            #expect(found["id"] == failed)
            // What the order holds until it has failed is its reference, too.
            while found["status"] == "compensating" {
                try await Task.sleep(for: .milliseconds(20))
                found = try await client.get(path).json
            }
            let paid = try await client.post("/v1/orders", body, key: "b").json["id"]
            #expect(try await client.get(path).json["id"] == paid)
            #expect(try await client.get("/v1/orders/by-reference/cart-8").status == 404)
        }
    }
}
