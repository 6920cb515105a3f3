import Domain
import HTTPTransport
import StrictJSON
import Testing
import TributaryTestKit

@Suite("POST /v1/orders/{id}/cancel", .timeLimit(.minutes(10)))
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

    @Test("of a payment releases it behind another one's capture", arguments: DatabaseEngine.allCases)
    func behindCapture(_ engine: DatabaseEngine) async throws {
        try await APIHarness.with(engine) { api in
            let stage = try await OrderStage(api, OrderStage.loose)
            #expect(try await stage.ask("capture", stage.items(30_000), key: "a").status == 200)
            let wanted: JSON = ["items": [["external_identifier": "hotel"]]]
            let reply = try await stage.ask("cancel", wanted, key: "b")
            #expect(reply.status == 200, "\(reply)")
            #expect(reply.json["status"] == "partially_paid" && reply.json["decision"] == "accepted")
            #expect(reply.json.at("payments/1/status") == "voided")
            #expect(reply.json.at("payments/1/canceled_at")?.stringValue != nil)
            #expect(await api.psp.authorizations.allSatisfy { $0.held == 0 })
            let again = try await stage.ask("cancel", wanted, key: "b")
            #expect(again.bytes == reply.bytes && again.header("Idempotent-Replayed") == "true")
            #expect(try await stage.ask("cancel", wanted, key: "c").code == "not_cancelable")
        }
    }

    @Test("of one payment answers the payment, once under its key", arguments: DatabaseEngine.allCases)
    func onePayment(_ engine: DatabaseEngine) async throws {
        try await APIHarness.with(engine) { api in
            let stage = try await OrderStage(api, OrderStage.loose)
            let path = "/v1/payments/\(stage.payments[1])/cancel"
            let reply = try await stage.client.post(path, .object([]), key: "a")
            #expect(reply.status == 200, "\(reply)")
            #expect(reply.json["id"] == .string(stage.payments[1]) && reply.json["order"] == .string(stage.order))
            #expect(reply.json["status"] == "voided")
            let again = try await stage.client.post(path, .object([]), key: "a")
            #expect(again.bytes == reply.bytes && again.header("Idempotent-Replayed") == "true")
            #expect(try await stage.now()["status"] == "authorized")
            #expect(try await stage.ask("capture", key: "b").json["status"] == "partially_paid")
        }
    }

    @Test("releases the rest of a payment that is captured in part", arguments: DatabaseEngine.allCases)
    func rest(_ engine: DatabaseEngine) async throws {
        try await APIHarness.with(engine) { api in
            let stage = try await OrderStage(api, OrderStage.loose)
            let part = stage.items(7_000).with("items/0/final", false)
            #expect(try await stage.ask("capture", part, key: "a").status == 200)
            let path = "/v1/payments/\(stage.payments[0])/cancel"
            let reply = try await stage.client.post(path, .object([]), key: "b")
            #expect(reply.status == 200 && reply.json["captured_amount"] == 7_000, "\(reply)")
            #expect(await api.psp.authorizations.first { $0.token == "tok_airline" }?.held == 0)
        }
    }

    @Test("of payments behind a capture is an operator's, as a release is", arguments: DatabaseEngine.allCases)
    func scope(_ engine: DatabaseEngine) async throws {
        try await APIHarness.with(engine) { api in
            let stage = try await OrderStage(api, OrderStage.loose)
            let part = stage.items(7_000).with("items/0/final", false)
            #expect(try await stage.ask("capture", part, key: "a").status == 200)
            let checkout = try await api.client("checkout")
            let items: JSON = ["items": [["payment": .string(stage.payments[0])]]]
            for (path, body) in [
                ("/v1/orders/\(stage.order)/release", items), ("/v1/orders/\(stage.order)/cancel", items),
                ("/v1/payments/\(stage.payments[0])/cancel", .object([])),
                ("/v1/payments/\(stage.payments[1])/cancel", .object([])),
            ] as [(String, JSON)] {
                let reply = try await checkout.post(path, body, key: "b")
                #expect((reply.status, reply.code) == (403, "insufficient_scope"), "\(path) \(reply)")
            }
            #expect(await api.psp.authorizations.map(\.held).reduce(0, +) == 38_000)
            let path = "/v1/payments/\(stage.payments[0])/cancel"
            #expect(try await stage.client.post(path, .object([]), key: "b").status == 200)
            #expect(await api.psp.authorizations.first { $0.token == "tok_airline" }?.held == 0)
        }
    }

    @Test("of payments is refused precisely")
    func refusals() async throws {
        try await APIHarness.with(.sqlite) { api in
            let stage = try await OrderStage(api, OrderStage.manual)
            let hotel: JSON = ["items": [["payment": .string(stage.payments[1])]]]
            let strict = try await stage.ask("cancel", hotel, key: "a")
            #expect(strict.status == 409 && strict.code == "policy_unsatisfied", "\(strict)")
            for (body, error) in [
                (["items": [["external_identifier": "motel"]]], "/items/0/external_identifier unknown_payment"),
                (
                    ["items": [["external_identifier": "hotel", "payment": .string(stage.payments[1])]]],
                    "/items/0/external_identifier contradiction"
                ),
                (["items": [[:]]], "/items/0/payment missing_field"),
            ] as [(JSON, String)] {
                let reply = try await stage.ask("cancel", body, key: "b")
                #expect(reply.status == 422, "\(reply)")
                #expect(reply.errors == [error], "\(reply)")
            }
            let all: JSON = ["items": .array(stage.payments.map { ["payment": .string($0)] })]
            #expect(try await stage.ask("cancel", all, key: "c").json["status"] == "canceled")
        }
    }
}
