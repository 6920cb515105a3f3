import HTTPAPI
import StrictJSON
import Testing
import TributaryTestKit

@Suite("A body that is too long", .timeLimit(.minutes(10)))
struct BodyLimitTests {
    @Test("is refused with 413, and the connection is closed", arguments: DatabaseEngine.allCases)
    func announced(_ engine: DatabaseEngine) async throws {
        try await APIHarness.with(engine) { api in
            let client = try await api.client("checkout")
            let long = OrderBody.trip.with("metadata", ["a": .string(String(repeating: "x", count: 2_000_000))])
            let reply = try await client.post("/v1/orders", long, key: "a")
            #expect((reply.status, reply.code) == (413, "body_too_large"), "\(reply)")
            #expect(reply.header("Connection") == "close")
            #expect(await api.psp.calls.isEmpty)
            #expect(try await client.post("/v1/orders", OrderBody.trip, key: "a").status == 201)
        }
    }

    @Test("in chunks is refused as soon as it is too long, without its end")
    func chunked() async throws {
        try await APIHarness.with(.sqlite) { api in
            let chunk = "10000\r\n" + String(repeating: " ", count: 65_536) + "\r\n"
            let text = try await exchange(["Transfer-Encoding: chunked"], String(repeating: chunk, count: 5), api)
            #expect(text.hasPrefix("HTTP/1.1 413 "), "\(text)")
            #expect(text.lowercased().contains("\r\nconnection: close\r\n"), "\(text)")
        }
    }

    @Test("need not come at all to be refused")
    func onlyAnnounced() async throws {
        try await APIHarness.with(.sqlite) { api in
            let text = try await exchange(["Content-Length: 2000000"], "{", api)
            #expect(text.hasPrefix("HTTP/1.1 413 "), "\(text)")
        }
    }

    @Test("for its Content-Length is no part of the request")
    func longerThanAnnounced() async throws {
        try await APIHarness.with(.sqlite) { api in
            let body = OrderBody.trip.text
            let text = try await exchange(["Content-Length: 2"], body, api)
            #expect(text.hasPrefix("HTTP/1.1 400 "), "\(text)")
            #expect(await api.psp.calls.isEmpty)
            #expect(try await api.anonymous.get("/livez").status == 200)
        }
    }

    @Test("counts from the byte behind the limit", arguments: [0, 1])
    func boundary(_ excess: Int) async throws {
        var limits = APIHarness.limits
        limits.bodyBytes = OrderBody.trip.bytes.count
        try await APIHarness.with(.sqlite, limits: limits) { api in
            let bytes = OrderBody.trip.bytes + [UInt8](repeating: UInt8(ascii: " "), count: excess)
            let reply = try await api.client("checkout").post("/v1/orders", bytes: bytes, key: "a")
            #expect(reply.status == (excess == 0 ? 201 : 413))
        }
    }

    /// Posts an order whose head and body are as a test wants them, and reads until the server closes.
    private func exchange(_ headers: [String], _ body: String, _ api: APIHarness) async throws -> String {
        let key = try #require(try await api.client("checkout").key)
        let head =
            [
                "POST /v1/orders HTTP/1.1", "Host: localhost", "Authorization: Bearer \(key)",
                "Content-Type: application/json", "Idempotency-Key: a",
            ] + headers
        return try await RawConnection.exchange(head.joined(separator: "\r\n") + "\r\n\r\n" + body, port: api.port)
    }
}
