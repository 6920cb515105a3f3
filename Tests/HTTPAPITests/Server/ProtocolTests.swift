import HTTPTransport
import StrictJSON
import Testing
import TributaryTestKit

@Suite("The server", .timeLimit(.minutes(10)))
struct ProtocolTests {
    @Test(
        "tells an unknown path from a wrong method",
        arguments: [
            (HTTPMethod.get, "/v1/nothing", 404, "no_such_path", nil),
            (.get, "/", 404, "no_such_path", nil),
            (.post, "/v1/orders/a/b/c", 404, "no_such_path", nil),
            (.delete, "/v1/orders", 405, "method_not_allowed", "GET, HEAD, POST"),
            (.put, "/v1/orders/ord_1", 405, "method_not_allowed", "GET, HEAD"),
            (.get, "/v1/payment-requests", 405, "method_not_allowed", "POST"),
            (.post, "/livez", 405, "method_not_allowed", "GET, HEAD"),
        ] as [(HTTPMethod, String, Int, String, String?)]
    )
    func routing(_ method: HTTPMethod, _ path: String, _ status: Int, _ code: String, _ allow: String?) async throws {
        try await APIHarness.with(.sqlite) { api in
            let reply = try await api.anonymous.send(method, path)
            #expect((reply.status, reply.code) == (status, code), "\(reply)")
            #expect(reply.header("Allow") == allow)
            #expect(reply.header("Request-Id") != nil)
        }
    }

    @Test("answers HEAD as GET without a body, problems too")
    func head() async throws {
        try await APIHarness.with(.sqlite) { api in
            for (path, status) in [("/livez", 200), ("/v1/orders", 401), ("/v1/nothing", 404)] {
                let request = "HEAD \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
                let text = try await RawConnection.exchange(request, port: api.port)
                #expect(text.hasPrefix("HTTP/1.1 \(status) "), "\(text)")
                #expect(text.hasSuffix("\r\n\r\n"), "\(text)")
                let length = try await api.anonymous.get(path).bytes.count
                #expect(text.lowercased().contains("content-length: \(length)\r\n"), "\(text)")
            }
        }
    }

    @Test("takes a Connection that is not ASCII, or too long, for close, and compares it with nothing")
    func connection() async throws {
        try await APIHarness.with(.sqlite) { api in
            for value in [HostileText.marks.text(30_000), "caf\u{E9}", HostileText.marks.ascii(9000)] {
                let request = "GET /livez HTTP/1.1\r\nHost: localhost\r\nConnection: \(value)\r\n\r\n"
                let text = try await RawConnection.exchange(request, port: api.port)
                #expect(text.hasPrefix("HTTP/1.1 200 "), "\(text)")
            }
        }
    }

    @Test("reads percent-encoded identifiers and passes over a trailing slash")
    func paths() async throws {
        try await APIHarness.with(.sqlite) { api in
            let client = try await api.client("checkout")
            for path in ["/v1/merchants/airline", "/v1/merchants/%61irline", "/v1/merchants/airline/"] {
                #expect(try await client.get(path).json["external_identifier"] == "airline", "\(path)")
            }
            for path in ["/v1/merchants/%ff", "/v1/merchants/air%2", "/v1/merchants/a%2Fb", "/v1/orders/ord_%31"] {
                let reply = try await client.get(path)
                #expect((reply.status, reply.code) == (404, "not_found"), "\(path)")
            }
        }
    }

    @Test("lives and is ready")
    func health() async throws {
        try await APIHarness.with(.sqlite) { api in
            for (path, status) in [("/livez", "alive"), ("/readyz", "ready")] {
                let reply = try await api.anonymous.get(path)
                #expect((reply.status, reply.json["status"]?.stringValue) == (200, status))
            }
        }
    }

    @Test("serves on when a connection brought something that is no HTTP")
    func garbage() async throws {
        try await APIHarness.with(.sqlite) { api in
            let text = try await RawConnection.exchange("\u{1}\u{2} nonsense\r\n\r\n", port: api.port)
            #expect(text.isEmpty || text.hasPrefix("HTTP/1.1 400 "), "\(text)")
            #expect(try await api.anonymous.get("/livez").status == 200)
        }
    }
}
