import Domain
import StrictJSON
import Testing
import TributaryTestKit

@Suite("POST /v1/orders/{id}/capture", .timeLimit(.minutes(10)))
struct CaptureTests {
    @Test("takes all that is held, once, and says so again under the same key", arguments: DatabaseEngine.allCases)
    func whole(_ engine: DatabaseEngine) async throws {
        try await APIHarness.with(engine) { api in
            let stage = try await OrderStage(api, OrderStage.manual)
            #expect(try await stage.now()["status"] == "authorized")
            let reply = try await stage.ask("capture")
            #expect(reply.status == 200, "\(reply)")
            #expect(reply.json["status"] == "paid")
            #expect(reply.json["captured_amount"] == 45_000)
            let again = try await stage.ask("capture")
            #expect(again.bytes == reply.bytes)
            #expect(again.header("Idempotent-Replayed") == "true")
            let other = try await stage.ask("capture", stage.items(1), key: "a")
            #expect(other.status == 422)
            #expect(other.code == "idempotency_key_reused")
            let more = try await stage.ask("capture", key: "b")
            #expect(more.status == 409)
            #expect(more.code == "already_captured")
            #expect(await api.psp.count(.capture) == 2)
        }
    }

    @Test("takes amounts of payments and releases the rest", arguments: DatabaseEngine.allCases)
    func parts(_ engine: DatabaseEngine) async throws {
        try await APIHarness.with(engine) { api in
            let stage = try await OrderStage(api, OrderStage.loose)
            let reply = try await stage.ask("capture", stage.items(10_000, nil))
            #expect(reply.status == 200, "\(reply)")
            #expect(reply.json["status"] == "partially_captured")
            #expect(reply.json.at("payments/0/captured_amount") == 10_000)
            #expect(reply.json.at("payments/1/status") == "authorized")
            let rest = try await stage.ask("capture", key: "b")
            #expect(rest.json["captured_amount"] == 25_000)
            let books = await api.psp.authorizations
            #expect(books.map(\.held) == [0, 0])
            #expect(books.map(\.captured).reduce(0, +) == 25_000)
        }
    }

    @Test("takes a hold in several parts until the final one", arguments: DatabaseEngine.allCases)
    func several(_ engine: DatabaseEngine) async throws {
        try await APIHarness.with(engine) { api in
            let stage = try await OrderStage(api, OrderStage.loose)
            for (key, isFinal) in [("a", false), ("b", false), ("c", true)] {
                let body = stage.items(7_000).with("items/0/final", .bool(isFinal))
                let reply = try await stage.ask("capture", body, key: key)
                #expect(reply.status == 200, "\(reply)")
            }
            let order = try await stage.now()
            #expect(order.at("payments/0/captured_amount") == 21_000)
            #expect(await api.psp.authorizations.first { $0.token == "tok_airline" }?.held == 0)
            let more = try await stage.ask("capture", stage.items(1), key: "d")
            #expect(more.code == "capture_exceeds_authorized")
            #expect(more.json["available_amount"] == 0)
        }
    }

    @Test(
        "is refused with a code of its own, and the key stays free",
        arguments: [
            ("more than is authorized", OrderStage.loose, [30_001, nil], 422, "capture_exceeds_authorized"),
            ("a part of an all-or-nothing order", OrderStage.manual, [30_000, nil], 422, "capture_in_part"),
            ("an automatic order", OrderBody.trip, [1, 1], 409, "not_capturable"),
        ] as [(String, JSON, [Int64?], Int, String)]
    )
    func refused(_ name: String, _ body: JSON, _ amounts: [Int64?], _ status: Int, _ code: String) async throws {
        try await APIHarness.with(.sqlite) { api in
            let stage = try await OrderStage(api, body)
            let before = try await stage.now()
            let reply = try await stage.ask("capture", stage.items(amounts[0], amounts[1]))
            #expect(reply.status == status, "\(reply)")
            #expect(reply.code == code)
            #expect(reply.json["order"]?.stringValue == stage.order)
            #expect(try await stage.now() == before)
            let other = try await stage.ask("capture", stage.items(nil, 99_999))
            #expect(other.code != "idempotency_key_reused")
        }
    }

    @Test("after the authorization lapsed is refused", arguments: DatabaseEngine.allCases)
    func lapsed(_ engine: DatabaseEngine) async throws {
        try await APIHarness.with(engine) { api in
            let stage = try await OrderStage(api, OrderStage.loose)
            let before = try #require(try await stage.now()["capture_before"]?.stringValue)
            #expect(before > "2")
            api.clock.advance(milliseconds: 8 * 86_400_000)
            let reply = try await stage.ask("capture")
            #expect(reply.status == 409, "\(reply)")
            #expect(["authorization_expired", "not_capturable"].contains(reply.code))
            #expect(await api.psp.count(.capture) == 0)
        }
    }

    @Test("needs the scope of an operator and a key", arguments: ["capture", "refunds"])
    func scope(_ action: String) async throws {
        try await APIHarness.with(.sqlite) { api in
            let stage = try await OrderStage(api, OrderStage.manual)
            let path = "/v1/orders/\(stage.order)/\(action)"
            for scope in ["checkout", "merchant:airline"] {
                let reply = try await api.client(scope).post(path, .object([]), key: "a")
                #expect(reply.status == 403)
                #expect(reply.code == "insufficient_scope")
            }
            #expect(try await stage.client.post(path, .object([])).code == "idempotency_key_missing")
            try await TestMarketplace(id: "other", baseURL: "http://127.0.0.1:1").write(to: api.database)
            let stranger = try await api.client("operator", of: "other")
            #expect(try await stranger.post(path, .object([]), key: "a").status == 404)
            #expect(try await stage.now()["status"] == "authorized")
        }
    }

    @Test("understands no body that it does not know")
    func bodies() async throws {
        try await APIHarness.with(.sqlite) { api in
            let stage = try await OrderStage(api, OrderStage.manual)
            let bodies: [(JSON, String)] = [
                (["items": []], "/items empty"), (["amount": 5], "/amount unknown_field"),
                (["items": [["payment": "pay_1"]]], "/items/0/payment not_allowed"),
                (stage.items(0), "/items/0/amount out_of_range"),
            ]
            for (body, error) in bodies {
                let reply = try await stage.ask("capture", body)
                #expect(reply.status == 422, "\(reply)")
                #expect(reply.errors == [error])
            }
            let foreign = try await stage.ask(
                "capture",
                stage.items(5, 5).with("items/0/payment", "pay_00000000000000000000000000")
            )
            #expect(["unknown_payment", "not_allowed"].contains(foreign.code))
        }
    }
}
