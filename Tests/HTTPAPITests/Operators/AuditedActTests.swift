import Domain
import Gateway
import SQL
import Storage
import StrictJSON
import Testing
import TributaryTestKit

@Suite("The audit trail of acts over HTTP", .timeLimit(.minutes(10)))
struct AuditedActTests {
    private typealias Act = (name: String, path: String, body: JSON, subject: String?)

    private static func entries(_ api: APIHarness) async throws -> [AuditTrailTable.Entry] {
        try await api.database.read { session in
            try AuditTrailTable.list(.init(marketplace: "travel"), limit: 1_000, in: session)
        }
    }

    /// Acts on what a stage has, in an order in which none is refused.
    private static func acts(_ stage: AccessStage, _ held: [OrderStage]) -> [Act] {
        let endpoint = "/v1/callback-endpoints/\(stage.endpoint)"
        let merchant = stage.merchant.id.text
        return [
            ("order.capture", "/v1/orders/\(held[0].order)/capture", [:], held[0].order),
            ("order.cancel", "/v1/orders/\(held[1].order)/cancel", [:], held[1].order),
            ("order.refund", "/v1/orders/\(stage.trip.order)/refunds", stage.trip.items(100), stage.trip.order),
            (
                "payout.record", "/v1/payouts",
                ["merchant": "airline", "currency": "USD", "amount": 1_000, "reference": "SEPA-2"], nil
            ),
            ("payout.fail", "/v1/payouts/\(stage.payout)/fail", ["reason": "account closed"], stage.payout),
            (
                "break.resolve", "/v1/breaks/\(stage.difference)/resolve",
                ["as": "investigating", "reason": "asked the PSP"], stage.difference
            ),
            ("psp_account.pause", "/v1/psp-accounts/sim-c/pause", [:], "sim-c"),
            ("psp_account.resume", "/v1/psp-accounts/sim-c/resume", [:], "sim-c"),
            ("merchant.pause", "/v1/merchants/airline/pause", [:], merchant),
            ("merchant.resume", "/v1/merchants/\(merchant)/resume", [:], merchant),
            ("callback_endpoint.rotate", "\(endpoint)/rotate", [:], stage.endpoint),
            ("callback_endpoint.enable", "\(endpoint)/enable", [:], stage.endpoint),
            ("callback_endpoint.move", endpoint, ["url": "https://hooks.example/new"], stage.endpoint),
            ("callback.replay", "\(endpoint)/replay", ["from": "2001-01-01T00:00:00Z"], stage.endpoint),
            ("callback.replay", "/v1/callbacks/\(stage.callback)/replay", [:], stage.callback),
            ("psp_webhook.replay", "/v1/psp-webhooks/\(stage.webhook)/replay", [:], stage.webhook),
            ("apply", "/v1/apply", ["marketplace": ["id": "travel", "name": "Travel Now"]], "travel"),
            ("key.create", "/v1/keys", ["scopes": ["checkout"], "name": "till 7"], nil),
            ("test_clock.advance", "/v1/test-clock/advance", ["by_seconds": 60], "travel"),
        ]
    }

    @Test(
        "has one entry for each, with the key's id and name, its address and the request",
        arguments: DatabaseEngine.allCases
    )
    func acts(_ engine: DatabaseEngine) async throws {
        try await APIHarness.with(engine) { api in
            let stage = try await AccessStage(api)
            let held = [
                try await OrderStage(api, OrderStage.manual, key: "first"),
                try await OrderStage(api, OrderStage.manual, key: "second"),
            ]
            let client = try await api.client("admin", "operator", "checkout", named: "night shift")
            let keys = try await api.database.read { session in try APIKeyTable.all(in: session) }
            let key = try #require(keys.first { $0.name == "night shift" }).id.text
            for (place, act) in Self.acts(stage, held).enumerated() {
                api.clock.advance(milliseconds: 2)
                let before = Set(try await Self.entries(api).map(\.id))
                let reply = try await client.post(act.path, act.body, key: "act-\(place)")
                #expect((200..<300).contains(reply.status), "\(act): \(reply)")
                let new = try await Self.entries(api).filter { !before.contains($0.id) }
                let entry = try #require(new.first, "\(act)")
                #expect(new.count == 1 && entry.act == act.name, "\(act): \(new)")
                #expect(entry.actorKind == "key" && entry.actor == key && entry.actorName == "night shift")
                #expect(entry.origin == "127.0.0.1" && entry.request == reply.header("Request-Id"))
                #expect(entry.subject == act.subject ?? reply.json["id"]?.stringValue, "\(act): \(entry)")
                #expect(JSON.isObject(entry.details), "\(entry)")
            }
            try await Self.revoke(client, api)
            try await AuditSealer.seal("travel", in: api.database)
            let result = try await AuditTrail(of: "travel", in: api.database).verify()
            #expect(result.findings.isEmpty && result.unsealed.count == 0)
            #expect(result.count == Int64(try await Self.entries(api).count))
        }
    }

    /// Revokes the key that was made, twice: the second time it changes nothing.
    private static func revoke(_ client: APIClient, _ api: APIHarness) async throws {
        let made = try #require(try await entries(api).first { $0.act == "key.create" }).subject
        for _ in 0..<2 {
            let reply = try await client.post("/v1/keys/\(made)/revoke", .object([]))
            #expect(reply.status == 200, "\(reply)")
        }
        let revocations = try await entries(api).filter { $0.act == "key.revoke" }
        #expect(revocations.map(\.subject) == [made])
        #expect(revocations.allSatisfy { $0.details.contains("till 7") })
    }

    @Test("is listed a page at a time, and narrowed", arguments: DatabaseEngine.allCases)
    func listed(_ engine: DatabaseEngine) async throws {
        let contract = try Contract()
        try await APIHarness.with(engine) { api in
            let client = try await api.client("operator", named: "night shift")
            for act in ["pause", "resume"] {
                api.clock.advance(milliseconds: 2)
                let reply = try await client.post("/v1/merchants/airline/\(act)", .object([]))
                #expect(reply.status == 200, "\(reply)")
            }
            func acts(_ query: String) async throws -> [String] {
                let reply = try await client.get("/v1/audit?\(query)")
                #expect(contract.complaints(about: reply, to: "GET /v1/audit").isEmpty, "\(reply)")
                return reply.json["data"]?.arrayValue?.compactMap { $0["act"]?.stringValue } ?? []
            }
            #expect(try await acts("limit=10") == ["merchant.resume", "merchant.pause"])
            let first = try await client.get("/v1/audit?limit=1")
            let next = try #require(first.json["next"]?.stringValue)
            #expect(try await acts("limit=1&starting_after=\(next)") == ["merchant.pause"])
            #expect(try await acts("act=merchant.pause&actor=night%20shift") == ["merchant.pause"])
            #expect(try await acts("actor=nobody") == [])
            #expect(try await acts("subject=nobody") == [])
            #expect(try await acts("created%5Bgte%5D=2999-01-01T00:00:00Z") == [])
            #expect(try await client.get("/v1/audit?act=nothing").status == 422)
            let elsewhere = TestMarketplace(id: "other", baseURL: "http://127.0.0.1:1")
            try await elsewhere.write(to: api.database)
            #expect(try await api.client("operator", of: "other").get("/v1/audit").json["data"] == [])
        }
    }

    @Test(
        "has nothing of an order's placing, of what is refused, and of what was done before",
        arguments: DatabaseEngine.allCases
    )
    func nothing(_ engine: DatabaseEngine) async throws {
        try await APIHarness.with(engine) { api in
            let stage = try await OrderStage(api, OrderStage.manual)
            #expect(try await Self.entries(api).isEmpty)
            let reader = try await api.client("support")
            #expect(try await reader.post("/v1/merchants/airline/pause", .object([])).status == 403)
            #expect(try await stage.client.post("/v1/merchants/nobody/pause", .object([])).status == 404)
            #expect(try await stage.ask("capture", stage.items(9_999_999), key: "much").status >= 400)
            #expect(try await Self.entries(api).isEmpty)
            for _ in 0..<2 { #expect(try await stage.ask("capture", key: "once").status == 200) }
            let entries = try await Self.entries(api)
            #expect(entries.map(\.act) == ["order.capture"])
            #expect(entries.first?.details == "{}")
        }
    }

    @Test("has nothing of a request that changes nothing", arguments: DatabaseEngine.allCases)
    func unchanged(_ engine: DatabaseEngine) async throws {
        try await APIHarness.with(engine) { api in
            let client = try await api.client("operator", "admin")
            let declared: JSON = ["marketplace": ["id": "travel", "name": "Travel Now"]]
            let acts: [(act: String, path: String, body: JSON)] = [
                ("psp_account.pause", "/v1/psp-accounts/sim-c/pause", [:]),
                ("psp_account.resume", "/v1/psp-accounts/sim-c/resume", [:]),
                ("merchant.pause", "/v1/merchants/airline/pause", [:]),
                ("merchant.resume", "/v1/merchants/airline/resume", [:]), ("apply", "/v1/apply", declared),
            ]
            for act in acts {
                for _ in 0..<2 {
                    let reply = try await client.post(act.path, act.body)
                    #expect(reply.status == 200, "\(act): \(reply)")
                }
            }
            #expect(try await Self.entries(api).map(\.act).sorted() == acts.map(\.act).sorted())
        }
    }

    @Test("a key from elsewhere is refused, and the attempt is a line of the log", arguments: DatabaseEngine.allCases)
    func networks(_ engine: DatabaseEngine) async throws {
        let log = AttemptLog()
        try await APIHarness.with(engine, logger: log.logger) { api in
            let here = try #require(NetworkRange("127.0.0.0/8"))
            let elsewhere = try #require(NetworkRange("192.0.2.0/24"))
            let allowed = try await api.client("checkout", from: [elsewhere, here])
            #expect(try await allowed.get("/v1/orders").status == 200)
            let refused = try await api.client("checkout", from: [elsewhere]).get("/v1/orders")
            #expect((refused.status, refused.code) == (403, "network_not_allowed"), "\(refused)")
            let lines = log.lines(beginning: "an attempt was refused")
            #expect(lines.count == 1 && lines[0].contains("code=network_not_allowed"), "\(lines)")
        }
    }

    @Test("keys have names of their own, and networks that lie in those of who makes them")
    func names() async throws {
        let contract = try Contract()
        try await APIHarness.with(.sqlite) { api in
            let here = try #require(NetworkRange("127.0.0.0/8"))
            let client = try await api.client("admin", "checkout", from: [here])
            func make(_ body: JSON, _ key: String) async throws -> APIReply {
                try await client.post("/v1/keys", body, key: key)
            }
            let desk: JSON = ["scopes": ["checkout"], "name": "Kasse 7", "networks": ["127.0.0.1"]]
            #expect(contract.complaints(aboutBody: desk, of: "POST /v1/keys").isEmpty)
            let made = try await make(desk, "a")
            #expect(made.status == 201, "\(made)")
            #expect(made.json["name"] == "Kasse 7" && made.json["networks"] == ["127.0.0.1/32"])
            #expect(contract.complaints(about: made, to: "POST /v1/keys").isEmpty, "\(made)")
            #expect(try await make(desk, "a").status == 200)
            let other = try await make(desk.with("name", "Kasse 8"), "a")
            #expect(other.code == "idempotency_key_reused", "\(other)")
            let taken = try await make(desk, "b")
            #expect((taken.status, taken.code) == (409, "key_name_in_use"), "\(taken)")
            #expect(contract.complaints(about: taken, to: "POST /v1/keys").isEmpty, "\(taken)")
            let anywhere = try await make(["scopes": ["checkout"]], "c")
            #expect(anywhere.errors == ["/networks network_not_held"])
            let wide = try await make(["scopes": ["checkout"], "networks": ["0.0.0.0/0"]], "d")
            #expect(wide.errors == ["/networks network_not_held"])
            let wrong = try await make(["scopes": ["checkout"], "networks": ["127.0.0.1/8"]], "e")
            #expect(wrong.errors == ["/networks/0 not_allowed"])
            let id = try #require(made.json["id"]?.stringValue)
            #expect(try await client.post("/v1/keys/\(id)/revoke", .object([])).status == 200)
            #expect(try await make(desk, "f").status == 201)
        }
    }
}

extension JSON {
    /// Whether a text is an object of JSON.
    fileprivate static func isObject(_ text: String) -> Bool { (try? JSON.parse(text: text))?.objectValue != nil }
}
