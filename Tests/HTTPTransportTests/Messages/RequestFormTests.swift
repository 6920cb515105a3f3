import HTTPTransport
import Testing
import TributaryTestKit

@Suite("What is sent")
struct RequestFormTests {
    @Test("is what the request says, and Host and Content-Length")
    func wholeRequest() async throws {
        let request = HTTPRequest.loopback(1, path: "/v1/pay?x=%20y", body: "amount=1").with {
            $0.headers = [
                HTTPHeader("X-Second", "two; \"quoted\""), HTTPHeader("Authorization", "Bearer abc"),
                HTTPHeader("X-Empty", ""), HTTPHeader("X-Second", "again"),
            ]
        }
        let (received, port) = try await receive(request)
        #expect(received.line == "POST /v1/pay?x=%20y HTTP/1.1")
        #expect(
            received.headers == [
                "Host: 127.0.0.1:\(port)", "X-Second: two; \"quoted\"", "Authorization: Bearer abc", "X-Empty:",
                "X-Second: again", "Content-Length: 8",
            ]
        )
        #expect(received.body == Array("amount=1".utf8))
    }

    @Test(
        "has a length, or no body, by its method",
        arguments: [
            (HTTPMethod.get, "", []), (.delete, "", []), (.get, "ab", ["Content-Length: 2"]),
            (.delete, "ab", ["Content-Length: 2"]), (.post, "", ["Content-Length: 0"]),
            (.put, "", ["Content-Length: 0"]), (.patch, "", ["Content-Length: 0"]),
            (.put, "ab", ["Content-Length: 2"]), (.patch, "ab", ["Content-Length: 2"]),
        ]
    )
    func methods(_ method: HTTPMethod, _ body: String, _ headers: [String]) async throws {
        let request = HTTPRequest.loopback(1, method: method).with { $0.body = Array(body.utf8) }
        let (received, _) = try await receive(request)
        #expect(received.line == "\(method.rawValue) / HTTP/1.1")
        #expect(received.headers.dropFirst() == headers[...])
        #expect(received.body == Array(body.utf8))
    }

    @Test("has every byte of a body that holds zeros and is longer than any buffer, without asking first")
    func longBody() async throws {
        let body = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let (received, _) = try await receive(.loopback(1).with { $0.body = body })
        #expect(received.body == body)
        #expect(!received.headers.contains { $0.hasPrefix("Expect") })
    }

    @Test("has no cookies of an earlier reply")
    func noCookies() async throws {
        let steps: [ServerStep] = [
            .readRequest, .write("HTTP/1.1 200 OK\r\nSet-Cookie: a=b; Path=/\r\nContent-Length: 0\r\n\r\n"),
            .readRequest, .ok,
        ]
        try await withServer(ScriptedServer { _ in steps }) { server in
            await withTransport { transport in
                _ = await transport.send(.loopback(server.port))
                _ = await transport.send(.loopback(server.port))
            }
            #expect(server.requests.count == 2)
            #expect(server.requests.last?.headers.contains { $0.lowercased().hasPrefix("cookie") } == false)
        }
    }

    /// Sends the request to a server of its own, and returns what that server read.
    private func receive(_ request: HTTPRequest) async throws -> (ReceivedRequest, port: UInt16) {
        try await withServer(ScriptedServer(each: .readRequest, .ok)) { server in
            let url = request.url.replacing(":1/", with: ":\(server.port)/")
            let result = await withTransport { transport in await transport.send(request.with { $0.url = url }) }
            #expect(result.reply?.status == 200, "\(result)")
            return (try #require(server.requests.first), server.port)
        }
    }
}
