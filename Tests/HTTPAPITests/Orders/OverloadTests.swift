import Gateway
import StrictJSON
import Testing
import TributaryTestKit

@Suite("More than can be done in time", .timeLimit(.minutes(10)))
struct OverloadTests {
    @Test(
        "at a PSP that hangs is refused at once, leaves nothing behind, and keeps its key free",
        arguments: DatabaseEngine.allCases
    )
    func hanging(_ engine: DatabaseEngine) async throws {
        var settings = GatewayHarness.settings
        settings.callsPerAccount = 1
        try await APIHarness.with(engine, settings: settings) { api in
            await api.psp.always("tok_airline", .authorize, .held)
            let client = try await api.client("checkout", "operator")
            async let first = client.post("/v1/orders", OrderBody.trip.with("deadline_ms", 120_000), key: "a")
            try await api.psp.arrival(of: .authorize, "tok_airline")
            let hasty = OrderBody.trip.with("deadline_ms", 1000)
            let refused = try await client.post("/v1/orders", hasty, key: "b")
            #expect((refused.status, refused.code) == (503, "overloaded"), "\(refused)")
            #expect(refused.header("Retry-After") != nil)
            #expect(try await client.get("/v1/orders").json["data"]?.arrayValue?.count == 1)
            #expect(await api.psp.count(.authorize, "tok_airline") == 1)
            await api.psp.always("tok_airline", .authorize, nil)
            await api.psp.release("tok_airline", .authorize)
            #expect(try await first.status == 201)
            let again = try await client.post("/v1/orders", hasty.with("deadline_ms", 20_000), key: "b")
            #expect(again.status == 201, "\(again)")
        }
    }

    @Test("is refused before anybody is asked who it is, whatever it would move", arguments: DatabaseEngine.allCases)
    func door(_ engine: DatabaseEngine) async throws {
        var settings = GatewayHarness.settings
        settings.admission = AdmissionLimits(atOnce: 4, waiting: 0)
        try await APIHarness.with(engine, settings: settings) { api in
            let client = try await api.client("checkout", "operator")
            let placed = try await client.post("/v1/orders", OrderBody.trip, key: "a")
            let id = try #require(placed.json["id"]?.stringValue)
            // What of the order is still in hand is written down first.
            var visits: [Visit] = []
            while visits.count < 4 {
                if let visit = try? await api.gateway.door.enter() { visits.append(visit) } else { await Task.yield() }
            }
            for path in [
                "/v1/orders", "/v1/orders/\(id)/refunds", "/v1/orders/\(id)/capture", "/v1/orders/\(id)/cancel",
                "/v1/payment-requests", "/v1/apple-pay/sessions",
            ] {
                for asking in [client, api.anonymous] {
                    let refused = try await asking.post(path, OrderBody.trip, key: "b")
                    #expect((refused.status, refused.code) == (503, "overloaded"), "\(path) \(refused)")
                }
            }
            #expect(try await client.get("/v1/orders").json["data"]?.arrayValue?.count == 1)
            for visit in visits { visit.leave() }
            #expect(try await client.post("/v1/orders", OrderBody.trip, key: "b").status == 201)
        }
    }
}
