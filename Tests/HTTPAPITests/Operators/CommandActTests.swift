import Domain
import SQL
import Storage
import StrictJSON
import Testing
import TributaryTestKit

@Suite("What the command line asks over HTTP", .timeLimit(.minutes(10)))
struct CommandActTests {
    @Test("shows every operation of an order, as the order has it", arguments: DatabaseEngine.allCases)
    func operations(_ engine: DatabaseEngine) async throws {
        let contract = try Contract()
        try await APIHarness.with(engine) { api in
            let stage = try await OrderStage(api)
            let shown = try await api.client("support").get("/v1/orders/\(stage.order)/operations")
            #expect(contract.complaints(about: shown, to: "GET /v1/orders/{id}/operations").isEmpty, "\(shown)")
            let order = try await api.order(try #require(OrderID(stage.order)))
            let stored = order.payments.flatMap(\.attempts).flatMap(\.operations)
            let told = shown.json["data"]?.arrayValue ?? []
            #expect(told.map { $0["id"]?.stringValue } == stored.map(\.id.text))
            #expect(told.map { $0["kind"]?.stringValue } == stored.map(\.kind.rawValue))
            #expect(told.map { $0["amount"]?.integerValue } == stored.map(\.amount))
            #expect(told.allSatisfy { $0["awaited"] == false && $0["state"] == "succeeded" }, "\(told)")
        }
    }

    @Test("enters what a PSP did and told nobody of, once under its name", arguments: DatabaseEngine.allCases)
    func record(_ engine: DatabaseEngine) async throws {
        let contract = try Contract()
        try await APIHarness.with(engine) { api in
            let stage = try await OrderStage(api)
            let client = try await api.client("operator")
            let path = "/v1/orders/\(stage.order)/record"
            let dispute: JSON = [
                "type": "dispute", "payment": .string(stage.payments[0]), "amount": 1_000, "state": "opened",
                "fee": 150, "psp_reference": "dp_7", "evidence": "portal, dispute dp_7", "reason": "no webhook",
            ]
            #expect(contract.complaints(aboutBody: dispute, of: "POST /v1/orders/{id}/record").isEmpty)
            #expect(try await client.post(path, dispute).code == "idempotency_key_missing")
            let entered = try await client.post(path, dispute, key: "a")
            #expect(contract.complaints(about: entered, to: "POST /v1/orders/{id}/record").isEmpty, "\(entered)")
            #expect(entered.status == 200, "\(entered)")
            let stored = try await api.order(try #require(OrderID(stage.order)))
            let found = try #require(stored.payments[0].disputes.first)
            #expect((found.amount, found.fee, found.reference) == (1_000, 150, "dp_7"))
            let refund: JSON = [
                "type": "refund", "payment": .string(stage.payments[1]), "amount": 200, "evidence": "portal",
                "reason": "given back there",
            ]
            let refunded = try await client.post(path, refund, key: "b")
            #expect(refunded.json["refunded_amount"] == 200, "\(refunded)")
            let again = try await client.post(path, refund, key: "b")
            #expect(again.header("Idempotent-Replayed") == "true" && again.json == refunded.json)
            let events = try await client.get("/v1/orders/\(stage.order)/events?limit=100").json["data"]?.arrayValue
            let actors = (events ?? []).filter { $0["details"]?["evidence"] == "portal" }.map { $0["actor"] }
            #expect(actors.count == 1 && actors[0]?.stringValue?.hasPrefix("key_") == true, "\(events ?? [])")
        }
    }

    @Test("is told what a record lacks, and what does not belong to it")
    func lacking() async throws {
        try await APIHarness.with(.sqlite) { api in
            let stage = try await OrderStage(api)
            let empty = try await stage.ask("record", ["type": "capture"], key: "a")
            #expect(
                empty.errors.sorted() == [
                    "/amount missing_field", "/evidence missing_field", "/payment missing_field",
                    "/reason missing_field",
                ]
            )
            let void: JSON = [
                "type": "void", "payment": .string(stage.payments[0]), "amount": 5, "evidence": "x", "reason": "y",
            ]
            #expect(try await stage.ask("record", void, key: "b").errors == ["/amount unknown_field"])
            let much: JSON = [
                "type": "dispute", "payment": .string(stage.payments[0]), "amount": 9_999_999, "state": "opened",
                "evidence": "x", "reason": "y",
            ]
            #expect(try await stage.ask("record", much, key: "c").code == "dispute_exceeds_captured")
        }
    }

    @Test("delivers callbacks of all endpoints again, and counts them first", arguments: DatabaseEngine.allCases)
    func replay(_ engine: DatabaseEngine) async throws {
        let contract = try Contract()
        try await APIHarness.with(engine) { api in
            let stage = try await AccessStage(api)
            let client = try await api.client("operator")
            func replay(_ body: JSON) async throws -> APIReply { try await client.post("/v1/callbacks/replay", body) }
            let dry = try await replay(["from": "2001-01-01T00:00:00Z", "dry_run": true])
            #expect(contract.complaints(about: dry, to: "POST /v1/callbacks/replay").isEmpty, "\(dry)")
            let all = try await client.get("/v1/callbacks?limit=100").json["data"]?.arrayValue ?? []
            #expect(dry.json == ["dry_run": true, "replayed": .integer(Int64(all.count))] && !all.isEmpty, "\(dry)")
            let one = try await replay(["callbacks": [.string(stage.callback)]])
            #expect(one.json == ["dry_run": false, "replayed": 1], "\(one)")
            let unknown = try await replay(["callbacks": [.string(stage.callback), "cb_00000000000000000000000000"]])
            #expect(unknown.errors == ["/callbacks/1 unknown_callback"])
            #expect(try await replay([:]).errors == ["/callbacks missing_field"])
            let both = try await replay(["callbacks": [.string(stage.callback)], "status": "dead"])
            #expect(both.errors == ["/status contradiction"])
            let elsewhere = TestMarketplace(id: "other", baseURL: "http://127.0.0.1:1")
            try await elsewhere.write(to: api.database)
            let stranger = try await api.client("operator", of: "other")
            let foreign = try await stranger.post("/v1/callbacks/replay", ["callbacks": [.string(stage.callback)]])
            #expect(foreign.errors == ["/callbacks/0 unknown_callback"])
            let none = try await stranger.post("/v1/callbacks/replay", ["from": "2001-01-01T00:00:00Z"])
            #expect(none.json["replayed"] == 0)
            let audited = try await client.get("/v1/audit?act=callback.replay").json["data"]?.arrayValue ?? []
            #expect(audited.count == 1 && audited[0]["actor"]?["via"] == "http", "\(audited)")
        }
    }

    @Test("takes a webhook that cannot be told off the list, once", arguments: DatabaseEngine.allCases)
    func dismiss(_ engine: DatabaseEngine) async throws {
        let contract = try Contract()
        try await WebhookStage.with(engine) { stage in
            let (placed, authorization) = try await stage.place(TestCheckout([.init("hotel", 15_000)]))
            let news = PSPNews.operation(.refund, "succeeded", 100, of: authorization, object: "refund_1").at("acct_x")
            try await stage.tell(news, to: "sim-b", until: .problem)
            let webhook = try #require(try await stage.api.inbox().first).id
            let client = try await stage.api.client("operator")
            let path = "/v1/psp-webhooks/\(webhook)/dismiss"
            let word: JSON = ["evidence": "portal", "reason": "of another shop"]
            #expect(contract.complaints(aboutBody: word, of: "POST /v1/psp-webhooks/{id}/dismiss").isEmpty)
            let dismissed = try await client.post(path, word)
            #expect(contract.complaints(about: dismissed, to: "POST /v1/psp-webhooks/{id}/dismiss").isEmpty)
            #expect(dismissed.status == 200 && dismissed.json["status"] != "problem", "\(dismissed)")
            #expect(try await stage.api.order(placed.id).attention.isEmpty)
            let again = try await client.post(path, word)
            #expect((again.status, again.code) == (409, "webhook_not_a_problem"), "\(again)")
            let audited = try await client.get("/v1/audit?act=psp_webhook.dismiss").json["data"]?.arrayValue ?? []
            #expect(audited.count == 1)
        }
    }

    @Test("decides whose a hash is, if it was seen", arguments: DatabaseEngine.allCases)
    func hash(_ engine: DatabaseEngine) async throws {
        let contract = try Contract()
        try await APIHarness.with(engine) { api in
            let client = try await api.client("operator")
            let row: JSON = ["hash": "ab12", "merchant_identifier": "merchant.hotel", "state": "confirmed"]
            #expect(try await client.post("/v1/apple-pay/hashes", row).status == 404)
            let now = api.clock.now()
            try await api.database.write { session in
                try session.run(
                    """
                    INSERT INTO merchant_hash (marketplace, hash, merchant_identifier, state, seen, contradicted,
                        first_seen_at, last_seen_at)
                    VALUES ('travel', 'ab12', 'merchant.hotel', 'recorded', 1, 0, \(now), \(now))
                    """
                )
            }
            let decided = try await client.post("/v1/apple-pay/hashes", row)
            #expect(contract.complaints(about: decided, to: "POST /v1/apple-pay/hashes").isEmpty, "\(decided)")
            #expect((decided.status, decided.json) == (200, row), "\(decided)")
            let stored = try await api.database.read { session in
                try MerchantHashTable.list(of: "travel", limit: 10, in: session)
            }
            #expect(stored.map(\.state) == [.confirmed])
            #expect(
                try await client.post("/v1/apple-pay/hashes", row.with("state", "seen")).errors == [
                    "/state not_allowed"
                ]
            )
        }
    }

    @Test("is shown its own key, with the marketplace, and tells an expired one from a revoked one")
    func key() async throws {
        let contract = try Contract()
        try await APIHarness.with(.sqlite) { api in
            let end = api.clock.now().adding(milliseconds: 60_000)
            let client = try await api.client("adjuster", named: "books", until: end)
            let shown = try await client.get("/v1/key")
            #expect(contract.complaints(about: shown, to: "GET /v1/key").isEmpty, "\(shown)")
            #expect(shown.json["marketplace"] == "travel" && shown.json["name"] == "books", "\(shown)")
            #expect(shown.json["scopes"] == ["adjuster"] && shown.json["key"] == nil, "\(shown)")
            api.clock.advance(to: end)
            let late = try await client.get("/v1/key")
            #expect((late.status, late.code) == (401, "expired_api_key"), "\(late)")
            let id = try #require(KeyID(shown.json["id"]?.stringValue ?? ""))
            let now = api.clock.now()
            _ = try await api.database.write { session in try APIKeyTable.revoke(id, at: now, in: session) }
            #expect(try await client.get("/v1/key").code == "invalid_api_key")
        }
    }
}
