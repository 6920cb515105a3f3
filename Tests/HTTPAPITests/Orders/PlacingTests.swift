import Domain
import SQL
import Storage
import StrictJSON
import Testing
import TributaryTestKit

@Suite("POST /v1/orders", .timeLimit(.minutes(1)))
struct PlacingTests {
    @Test("answers 201 with the whole order", arguments: DatabaseEngine.allCases)
    func accepted(_ engine: DatabaseEngine) async throws {
        try await APIHarness.with(engine) { api in
            let client = try await api.client("checkout")
            let reply = try await client.post("/v1/orders", OrderBody.trip, key: "a")
            #expect(reply.status == 201, "\(reply)")
            #expect(reply.json["status"] == "paid")
            #expect(reply.json["decision"] == "accepted")
            #expect(reply.json["captured_amount"] == 45_000)
            let id = try #require(reply.json["id"]?.stringValue)
            #expect(reply.header("Location") == "/v1/orders/\(id)")
            #expect(reply.header("Content-Type") == "application/json")
            #expect(reply.header("Request-Id")?.hasPrefix("req_") == true)
            #expect(try await client.get("/v1/orders/\(id)").bytes == reply.bytes)
        }
    }
}
