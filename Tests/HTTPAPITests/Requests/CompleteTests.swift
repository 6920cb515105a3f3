import Domain
import StrictJSON
import Testing
import TributaryTestKit

@Suite("POST /v1/payments/{id}/complete", .timeLimit(.minutes(10)))
struct CompleteTests {
    @Test("asks after the buyer's step at once", arguments: DatabaseEngine.allCases)
    func done(_ engine: DatabaseEngine) async throws {
        try await APIHarness.with(engine) { api in
            await api.psp.script("tok_hotel", .authorize, .init(.requireAction(milliseconds: 300_000)))
            let stage = try await OrderStage(api)
            let order = try await stage.now()
            #expect(order["status"] == "requires_action")
            #expect(order.at("payments/1/action/type") == "redirect")
            #expect(order.at("payments/1/action/url") != nil)
            let path = "/v1/payments/\(stage.payments[1])/complete"
            await api.psp.finishAction(of: "tok_hotel")
            let reply = try await stage.client.post(path, .object([]))
            #expect(reply.status == 200, "\(reply)")
            #expect(reply.json["status"] == "captured")
            #expect(reply.json["order"]?.stringValue == stage.order)
            #expect(try await stage.now()["status"] == "paid")
            let again = try await stage.client.post(path, .object([]))
            #expect(again.status == 409)
            #expect(again.code == "action_not_required")
        }
    }

    @Test("of a payment that nobody knows, or that is another marketplace's, finds nothing")
    func unknown() async throws {
        try await APIHarness.with(.sqlite) { api in
            let stage = try await OrderStage(api)
            try await TestMarketplace(id: "other", baseURL: "http://127.0.0.1:1").write(to: api.database)
            let stranger = try await api.client("checkout", of: "other")
            let path = "/v1/payments/\(stage.payments[0])/complete"
            #expect(try await stranger.post(path, .object([])).status == 404)
            #expect(try await stage.client.post("/v1/payments/pay_x/complete", .object([])).status == 404)
        }
    }
}
