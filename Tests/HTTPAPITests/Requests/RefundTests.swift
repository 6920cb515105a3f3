import Domain
import StrictJSON
import Testing
import TributaryTestKit

@Suite("POST /v1/orders/{id}/refunds", .timeLimit(.minutes(10)))
struct RefundTests {
    @Test("gives back amounts of payments", arguments: DatabaseEngine.allCases)
    func items(_ engine: DatabaseEngine) async throws {
        try await APIHarness.with(engine) { api in
            let stage = try await OrderStage(api)
            let body = stage.items(10_000, 500).with("reason", "rain")
            let reply = try await stage.ask("refunds", body)
            #expect(reply.status == 201, "\(reply)")
            #expect(reply.json["status"] == "succeeded")
            #expect(reply.json["amount"] == 10_500)
            #expect(reply.json["reason"] == "rain")
            #expect(reply.json["borne_by"] == "merchant")
            #expect(reply.json.at("items/1/refunded_amount") == 500)
            let id = try #require(reply.json["id"]?.stringValue)
            #expect(reply.header("Location") == "/v1/refunds/\(id)")
            #expect(try await stage.client.get("/v1/refunds/\(id)").json == reply.json)
            #expect(try await stage.ask("refunds", body).bytes == reply.bytes)
            let order = try await stage.now()
            #expect(order["status"] == "partially_refunded")
            #expect(order["refunded_amount"] == 10_500)
            #expect(order.at("refunds/0/id")?.stringValue == id)
            #expect(await api.psp.count(.refund) == 2)
            try await TestMarketplace(id: "other", baseURL: "http://127.0.0.1:1").write(to: api.database)
            let stranger = try await api.client("operator", of: "other")
            #expect(try await stranger.get("/v1/refunds/\(id)").status == 404)
        }
    }

    @Test("divides an amount in proportion to what is left", arguments: DatabaseEngine.allCases)
    func proportional(_ engine: DatabaseEngine) async throws {
        try await APIHarness.with(engine) { api in
            let stage = try await OrderStage(api)
            let reply = try await stage.ask("refunds", ["amount": 1_000, "allocate": "proportional"])
            #expect(reply.status == 201, "\(reply)")
            #expect(reply.json.at("items/0/amount") == 667)
            #expect(reply.json.at("items/1/amount") == 333)
            let rest = try await stage.ask("refunds", key: "b")
            #expect(rest.json["amount"] == 44_000)
            #expect(try await stage.now()["status"] == "refunded")
            let none = try await stage.ask("refunds", key: "c")
            #expect(none.code == "refund_exceeds_captured")
            #expect(none.json["available_amount"] == 0)
        }
    }

    @Test(
        "is refused with a code of its own",
        arguments: [
            (["amount": 1_000], 422, "allocation_required"),
            (["amount": 45_001, "allocate": "proportional"], 422, "refund_exceeds_captured"),
            (["allocate": "proportional"], 422, "missing_field"),
            (["amount": 0], 422, "out_of_range"),
            (["amount": 5, "items": []], 422, "invalid_request"),
            (["borne_by": "nobody"], 422, "not_allowed"),
        ] as [(JSON, Int, String)]
    )
    func refused(_ body: JSON, _ status: Int, _ code: String) async throws {
        try await APIHarness.with(.sqlite) { api in
            let stage = try await OrderStage(api)
            let reply = try await stage.ask("refunds", body)
            #expect(reply.status == status, "\(reply)")
            #expect(reply.code == code)
            #expect(await api.psp.count(.refund) == 0)
        }
    }

    @Test("above what a payment captured is refused, with the place and what is left")
    func above() async throws {
        try await APIHarness.with(.sqlite) { api in
            let stage = try await OrderStage(api)
            let reply = try await stage.ask("refunds", stage.items(1, 15_001))
            #expect(reply.code == "refund_exceeds_captured")
            #expect(reply.errors == ["/items/1/amount refund_exceeds_captured"])
            #expect(reply.json["available_amount"] == 15_000)
        }
    }

    @Test("of an order that took nothing is refused")
    func nothing() async throws {
        try await APIHarness.with(.sqlite) { api in
            let stage = try await OrderStage(api, OrderStage.manual)
            let reply = try await stage.ask("refunds")
            #expect(reply.status == 409)
            #expect(reply.code == "not_refundable")
        }
    }

    @Test("that the PSP refuses has failed, and gives its claim back", arguments: DatabaseEngine.allCases)
    func failed(_ engine: DatabaseEngine) async throws {
        try await APIHarness.with(engine) { api in
            let stage = try await OrderStage(api)
            await api.psp.script("tok_airline", .refund, .refuse)
            let reply = try await stage.ask("refunds", stage.items(20_000))
            #expect(reply.status == 201, "\(reply)")
            #expect(reply.json["status"] == "failed")
            #expect(reply.json.at("items/0/failure/code") == "configuration_error")
            let again = try await stage.ask("refunds", stage.items(30_000), key: "b")
            #expect(again.json["status"] == "succeeded", "\(again)")
        }
    }
}
