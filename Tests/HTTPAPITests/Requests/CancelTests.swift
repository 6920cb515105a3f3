import Domain
import HTTPTransport
import StrictJSON
import Testing
import TributaryTestKit

@Suite("POST /v1/orders/{id}/cancel", .timeLimit(.minutes(1)))
struct CancelTests {
    @Test("releases what is held", arguments: DatabaseEngine.allCases)
    func held(_ engine: DatabaseEngine) async throws {
        try await APIHarness.with(engine) { api in
            let stage = try await OrderStage(api, OrderStage.manual)
            let reply = try await stage.ask("cancel")
            #expect(reply.status == 200, "\(reply)")
            #expect(reply.json["status"] == "canceled")
            #expect(reply.json["decision"] == "canceled")
            #expect(reply.json["decision_reason"] == "canceled_on_request")
            #expect(await api.psp.authorizations.map(\.held) == [0, 0])
            #expect(try await stage.ask("cancel").bytes == reply.bytes)
            #expect(try await stage.ask("cancel", key: "b").code == "not_cancelable")
            #expect(try await stage.ask("capture", key: "b").code == "not_capturable")
        }
    }

    @Test("after a capture is refused", arguments: DatabaseEngine.allCases)
    func captured(_ engine: DatabaseEngine) async throws {
        try await APIHarness.with(engine) { api in
            let stage = try await OrderStage(api)
            let reply = try await stage.ask("cancel")
            #expect(reply.status == 409)
            #expect(reply.code == "already_captured")
            #expect(try await stage.now()["status"] == "paid")
        }
    }

    @Test("takes no body but an empty one, and none at all")
    func bodies() async throws {
        try await APIHarness.with(.sqlite) { api in
            let stage = try await OrderStage(api, OrderStage.manual)
            #expect(try await stage.ask("cancel", ["why": "rain"]).errors == ["/why unknown_field"])
            let path = "/v1/orders/\(stage.order)/cancel"
            let reply = try await stage.client.send(.post, path, headers: [.init("Idempotency-Key", "n")])
            #expect(reply.status == 200, "\(reply)")
        }
    }
}
