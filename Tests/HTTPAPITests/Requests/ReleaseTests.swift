import Domain
import StrictJSON
import Testing
import TributaryTestKit

@Suite("POST /v1/orders/{id}/release", .timeLimit(.minutes(10)))
struct ReleaseTests {
    @Test(
        "lets go of what non-final captures left, and says so again under its key",
        arguments: DatabaseEngine.allCases
    )
    func rest(_ engine: DatabaseEngine) async throws {
        try await APIHarness.with(engine) { api in
            let stage = try await OrderStage(api, OrderStage.loose)
            let body = stage.items(7_000).with("items/0/final", false)
            #expect(try await stage.ask("capture", body, key: "a").status == 200)
            let payment = try #require(try await stage.now().at("payments/0/id"))
            let wanted: JSON = ["items": [["payment": payment]]]
            let reply = try await stage.ask("release", wanted, key: "b")
            #expect(reply.status == 200, "\(reply)")
            #expect(await api.psp.authorizations.first { $0.token == "tok_airline" }?.held == 0)
            #expect(try await stage.now().at("payments/0/captured_amount") == 7_000)
            let again = try await stage.ask("release", wanted, key: "b")
            #expect(again.bytes == reply.bytes && again.header("Idempotent-Replayed") == "true")
            let more = try await stage.ask("release", wanted, key: "c")
            #expect(more.status == 409 && more.code == "nothing_held")
            #expect(try await stage.ask("release", key: "d").status == 200)
            #expect(await api.psp.authorizations.allSatisfy { $0.held == 0 })
        }
    }

    @Test("refuses what is no order to release, or no request") func refusals() async throws {
        try await APIHarness.with(.sqlite) { api in
            let stage = try await OrderStage(api, OrderStage.manual)
            let strict = try await stage.ask("release", key: "a")
            #expect(strict.status == 409 && strict.code == "not_releasable")
            let bodies: [JSON] = [["items": []], ["items": [["payment": "pay_1"]]], ["amount": 1]]
            for (index, body) in bodies.enumerated() {
                #expect(try await stage.ask("release", body, key: "b\(index)").status == 422, "\(body)")
            }
        }
    }
}
