import StrictJSON
import Testing
import TributaryTestKit

@Suite("POST /v1/orders/{id}/wait", .timeLimit(.minutes(10)))
struct WaitTests {
    @Test(
        "answers the order as soon as it has changed, and as it is when the time is over",
        arguments: DatabaseEngine.allCases
    )
    func change(_ engine: DatabaseEngine) async throws {
        try await APIHarness.with(engine) { api in
            await api.psp.script("tok_hotel", .authorize, .init(.requireAction(milliseconds: 300_000)))
            let stage = try await OrderStage(api)
            let order = try await stage.now()
            #expect(order.at("next_actions/0/payment") == .string(stage.payments[1]))
            #expect(order.at("next_actions/0/needed") == true)
            let path = "/v1/orders/\(stage.order)/wait"
            let version = try #require(order["version"])
            async let waited = stage.client.post(path, ["after_version": version, "timeout_ms": 60_000])
            await api.psp.finishAction(of: "tok_hotel")
            let done = try await stage.client.post("/v1/payments/\(stage.payments[1])/complete", .object([]))
            #expect(done.status == 200, "\(done)")
            let changed = try await waited
            #expect(changed.status == 200 && changed.json["version"] != version, "\(changed)")
            let now = try await stage.now()
            #expect(now["status"] == "paid" && now["next_actions"] == [])
            let known = try #require(now["version"])
            let same = try await stage.client.post(path, ["after_version": known, "timeout_ms": 1])
            #expect(same.status == 200 && same.json == now)
        }
    }

    @Test("takes no longer wait, no other member, and no order of somebody else")
    func refusals() async throws {
        try await APIHarness.with(.sqlite) { api in
            let stage = try await OrderStage(api)
            let path = "/v1/orders/\(stage.order)/wait"
            for body in [["timeout_ms": 60_001], ["timeout_ms": 0], ["after_version": -1], ["since": 1]] as [JSON] {
                #expect(try await stage.client.post(path, body).status == 422, "\(body)")
            }
            try await TestMarketplace(id: "other", baseURL: "http://127.0.0.1:1").write(to: api.database)
            let stranger = try await api.client("checkout", of: "other")
            #expect(try await stranger.post(path, ["timeout_ms": 1]).status == 404)
            #expect(try await stage.client.post("/v1/orders/ord_x/wait", ["timeout_ms": 1]).status == 404)
        }
    }
}
