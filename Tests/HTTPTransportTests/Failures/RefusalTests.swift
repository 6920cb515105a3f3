import HTTPTransport
import Testing
import TributaryTestKit

@Suite("A request that may not be sent")
struct RefusalTests {
    @Test(
        "is refused for its URL",
        arguments: [
            "", "pay", "example.com/pay", "//example.com/", "https://", "https://exa mple.com/",
            "https://example.com:99999/", "https://user@example.com/", "https://user:word@example.com/",
            "https://:word@example.com/", "https://example.com/\u{0}", "https://example.com/\r\nX: y",
            "ftp://example.com/", "file:///etc/hostname", "gopher://example.com/", "HTTP://example.com/",
            "http://example.com/", "http://127.0.0.1.example.com/", "http://localhost.example.com/",
            "http://example.localhost/", "http://0.0.0.0/", "http://10.0.0.1/", "http://[::2]/", "http://[::]/",
            "http://127.0.0.1@example.com/", "http://128.0.0.1/", "http://localhost./",
        ]
    )
    func url(_ url: String) async {
        var request = HTTPRequest(.post, url, body: [1])
        request.allowPlainHTTPToLoopback = true
        let result = await withTransport { [request] transport in await transport.send(request) }
        #expect(result.verdict == Verdict(.refusedURL, mayHaveArrived: false), "\(result)")
    }

    @Test("is refused for plain http, even to this machine, unless it allows that")
    func plain() async throws {
        try await withServer(ScriptedServer(each: .readRequest, .ok)) { server in
            await withTransport { transport in
                let request = HTTPRequest.loopback(server.port).with { $0.allowPlainHTTPToLoopback = false }
                #expect(await transport.send(request).verdict == Verdict(.refusedURL, mayHaveArrived: false))
            }
            #expect(server.connections == 0)
        }
    }

    @Test(
        "is not refused for plain http to this machine where it is allowed",
        arguments: [
            "127.0.0.1", "localhost", "LOCALHOST", "127.1", "127.0.0.2",
        ]
    )
    func loopback(_ host: String) async throws {
        let port = try LoopbackSocket.unusedPort()
        let result = await withTransport { transport in
            await transport.send(HTTPRequest.loopback(port).with { $0.url = "http://\(host):\(port)/" })
        }
        #expect(result.verdict == Verdict(.couldNotConnect, mayHaveArrived: false), "\(result)")
    }

    @Test(
        "is refused for a header field",
        arguments: [
            HTTPHeader("", "a"), HTTPHeader("A B", "c"), HTTPHeader("A:", "b"), HTTPHeader("A\r\nB", "c"),
            HTTPHeader("\u{E4}", "b"), HTTPHeader("A", "b\r\nC: d"), HTTPHeader("A", "b\nC"), HTTPHeader("A", "\u{0}"),
            HTTPHeader("A", "b\u{7F}"), HTTPHeader("Content-Length", "1"), HTTPHeader("transfer-encoding", "chunked"),
            HTTPHeader("HOST", "elsewhere.example"), HTTPHeader("Expect", "100-continue"),
            HTTPHeader("Connection", "close"),
        ]
    )
    func header(_ header: HTTPHeader) async throws {
        try await withServer(ScriptedServer(each: .readRequest, .ok)) { server in
            await withTransport { transport in
                let request = HTTPRequest.loopback(server.port).with { $0.headers = [header] }
                let result = await transport.send(request)
                #expect(result.verdict == Verdict(.refusedHeader, mayHaveArrived: false), "\(result)")
            }
            #expect(server.connections == 0)
        }
    }

    @Test("gives its place back, so that a thousand of them leave room for a good one")
    func refusedMany() async throws {
        try await withServer(ScriptedServer(each: .readRequest, .ok)) { server in
            await withTransport(TransportLimits(requestsPerHost: 1, requestsInTotal: 1)) { transport in
                await withTaskGroup { group in
                    for _ in 0..<1_000 {
                        group.addTask {
                            let bad = HTTPRequest.loopback(server.port).with { $0.headers = [HTTPHeader("A", "\n")] }
                            #expect(await transport.send(bad).failure?.reason == .refusedHeader)
                        }
                    }
                }
                #expect(await transport.send(.loopback(server.port)).reply?.status == 200)
            }
        }
    }
}
