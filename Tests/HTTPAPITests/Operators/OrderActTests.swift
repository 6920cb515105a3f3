import Domain
import StrictJSON
import Testing
import TributaryTestKit

@Suite("An operator over HTTP", .timeLimit(.minutes(10)))
struct OrderActTests {
    @Test(
        "says what became of an operation, once, and the history says who",
        arguments: DatabaseEngine.allCases
    )
    func resolve(_ engine: DatabaseEngine) async throws {
        let contract = try Contract()
        try await APIHarness.with(engine) { api in
            await api.psp.script("tok_airline", .authorize, .refuse)
            let placed = try await api.client("checkout").post("/v1/orders", OrderBody.trip, key: "a")
            let order = try #require(placed.json["id"]?.stringValue, "\(placed)")
            let found = try await api.order(try #require(OrderID(order)))
            let operation = found.payments[0].attempt.authorization.id.text
            let client = try await api.client("operator")
            let word: JSON = [
                "operation": .string(operation), "outcome": "succeeded", "evidence": "portal, payment 7",
                "reason": "it is held there",
            ]
            #expect(contract.complaints(aboutBody: word, of: "POST /v1/orders/{id}/resolve").isEmpty)
            let path = "/v1/orders/\(order)/resolve"
            #expect(try await client.post(path, word).code == "idempotency_key_missing")
            let first = try await client.post(path, word, key: "r")
            #expect([200, 202].contains(first.status), "\(first)")
            #expect(contract.complaints(about: first, to: "POST /v1/orders/{id}/resolve").isEmpty, "\(first)")
            let again = try await client.post(path, word, key: "r")
            #expect(again.header("Idempotent-Replayed") == "true")
            let story = try await client.get("/v1/orders/\(order)/events?limit=100")
            let events = story.json["data"]?.arrayValue ?? []
            let actors = Set(events.compactMap { $0["actor"]?.stringValue })
            #expect(actors.count == 2 && actors.allSatisfy { $0.hasPrefix("key_") }, "\(story)")
        }
    }

    @Test("is told what a word about an operation lacks")
    func refused() async throws {
        try await APIHarness.with(.sqlite) { api in
            let stage = try await OrderStage(api)
            let body: JSON = ["operation": "op_1", "outcome": "failed", "amount": 1]
            let reply = try await stage.ask("resolve", body)
            #expect(
                reply.errors == [
                    "/operation not_allowed", "/evidence missing_field", "/reason missing_field",
                    "/amount contradiction",
                ]
            )
            let rest = try await stage.ask("retry", key: "b")
            #expect((rest.status, rest.code) == (409, "nothing_to_retry"), "\(rest)")
        }
    }

    @Test("pauses and resumes a PSP account", arguments: DatabaseEngine.allCases)
    func accounts(_ engine: DatabaseEngine) async throws {
        try await APIHarness.with(engine) { api in
            let client = try await api.client("operator")
            let paused = try await client.post("/v1/psp-accounts/sim-a/pause", .object([]))
            #expect(paused.json["status"] == "paused", "\(paused)")
            let till = try await api.client("checkout")
            #expect(try await till.post("/v1/orders", OrderBody.trip, key: "a").status == 422)
            let resumed = try await client.post("/v1/psp-accounts/sim-a/resume", .object([]))
            #expect(resumed.json["status"] == "active", "\(resumed)")
            #expect(try await client.post("/v1/psp-accounts/sim-z/pause", .object([])).status == 404)
        }
    }
}
