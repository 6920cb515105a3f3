import HTTPTransport
import StrictJSON
import Testing
import TributaryTestKit

@testable import HTTPAPI

@Suite("Versions of the API", .timeLimit(.minutes(10)))
struct VersionTests {
    private static let old = [HTTPHeader("Tributary-Version", "2026-11-01")]

    @Test("are named by every answer, the newest unless another is asked for")
    func named() async throws {
        #expect(try OpenAPIDocument.load()["info"]?["version"]?.stringValue == APIVersion.newest.text)
        try await APIHarness.with(.sqlite) { api in
            let client = try await api.client("checkout")
            for path in ["/livez", "/v1/orders", "/v1/nothing", "/metrics", "/openapi.json"] {
                #expect(try await client.get(path).header("Tributary-Version") == "2026-11-23", "\(path)")
                let older = try await client.send(.get, path, headers: Self.old)
                #expect(older.header("Tributary-Version") == "2026-11-01", "\(path)")
            }
            #expect(try await client.send(.get, "/openapi.json", headers: Self.old).json == OpenAPIDocument.load())
        }
    }

    @Test(
        "that there are not are refused before anything is done, with those that there are",
        arguments: ["v1", "1", "2026-11-24"]
    )
    func unknown(_ text: String) async throws {
        try await APIHarness.with(.sqlite) { api in
            let client = try await api.client("checkout")
            let wrong = [HTTPHeader("Tributary-Version", text)]
            let reply = try await client.post("/v1/orders", OrderBody.trip, key: "a", headers: wrong)
            #expect((reply.status, reply.code) == (400, "unknown_api_version"))
            #expect(reply.json["detail"] == "Tributary-Version is one of 2026-11-01, 2026-11-23.")
            #expect(reply.header("Tributary-Version") == "2026-11-23")
            #expect(try await client.get("/v1/orders").json["data"] == [])
        }
    }

    @Test("of a key hold unless the request asks for another", arguments: DatabaseEngine.allCases)
    func pinned(_ engine: DatabaseEngine) async throws {
        try await APIHarness.with(engine) { api in
            let client = try await api.client("checkout", pinnedTo: "2026-11-01")
            let placed = try await client.post("/v1/orders", OrderBody.trip, key: "a")
            #expect((placed.status, placed.header("Tributary-Version")) == (201, "2026-11-01"))
            #expect(placed.json["amount"] == 45_000 && placed.json["amount_decimal"] == nil)
            let newest = [HTTPHeader("Tributary-Version", "2026-11-23")]
            let again = try await client.post("/v1/orders", OrderBody.trip, key: "a", headers: newest)
            #expect((again.status, again.header("Idempotent-Replayed")) == (201, "true"))
            #expect(again.json["amount_decimal"] == "450.00")
            #expect(VersionChange.document(again.json, isProblem: false, in: .november1) == placed.json)
            let repeated = try await client.post("/v1/orders", OrderBody.trip, key: "a")
            #expect(repeated.bytes == placed.bytes)
            #expect(repeated.header("Content-Length") == "\(placed.bytes.count)")
            // A version that is answered no more is none.
            let forgotten = try await api.client("checkout", pinnedTo: "2020-01-01")
            #expect(try await forgotten.get("/v1/orders").header("Tributary-Version") == "2026-11-23")
        }
    }

    @Test("of before name problems as they did")
    func problems() async throws {
        try await APIHarness.with(.sqlite) { api in
            let client = try await api.client("checkout")
            let path = "/v1/orders/ord_00000000000000000000000000"
            let (new, old) = (try await client.get(path), try await client.send(.get, path, headers: Self.old))
            #expect(new.json["type"] == "/problems/not_found")
            #expect(old.json["type"] == "urn:tributary:problem:not_found")
            #expect(old.header("Content-Type") == "application/problem+json")
            #expect(new.json.with("type", 1).with("request_id", 1) == old.json.with("type", 1).with("request_id", 1))
        }
    }
}
