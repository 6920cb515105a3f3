import HTTPTransport
import Testing
import TributaryTestKit

@Suite("What is received")
struct ReplyTests {
    @Test("is status, header fields in order and body")
    func whole() async throws {
        let reply = try await receive(
            "HTTP/1.1 402 Payment Required\r\nB: 1\r\na: 2 \r\nB:3\r\nContent-Length: 3\r\n\r\nno!"
        )
        #expect(reply.status == 402)
        #expect(
            reply.headers == [
                HTTPHeader("B", "1"), HTTPHeader("a", "2"), HTTPHeader("B", "3"), HTTPHeader("Content-Length", "3"),
            ]
        )
        #expect(reply.body == Array("no!".utf8))
        #expect(reply.header("b") == "1")
        #expect(reply.header("c") == nil)
    }

    @Test("leaves out interim replies and trailers")
    func interim() async throws {
        let reply = try await receive(
            "HTTP/1.1 103 Early Hints\r\nEarly: 1\r\n\r\nHTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "2\r\nab\r\n1\r\nc\r\n0\r\nLate: 1\r\n\r\n"
        )
        #expect(reply.status == 201)
        #expect(reply.headers == [HTTPHeader("Transfer-Encoding", "chunked")])
        #expect(reply.body == Array("abc".utf8))
    }

    @Test(
        "may have no body, or one that ends with the connection",
        arguments: [
            ("HTTP/1.1 204 No Content\r\n\r\n", ""),
            ("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nuntil the end", "until the end"),
            ("HTTP/1.0 200 OK\r\n\r\nold", "old"),
        ]
    )
    func ends(_ text: String, _ body: String) async throws {
        let reply = try await receive(text)
        #expect(reply.body == Array(body.utf8))
    }

    @Test("is not followed elsewhere when it redirects", arguments: [301, 302, 303, 307, 308])
    func redirects(_ status: Int) async throws {
        let reply = try await receive("HTTP/1.1 \(status) Moved\r\nLocation: /elsewhere\r\nContent-Length: 0\r\n\r\n")
        #expect(reply.status == status)
        #expect(reply.header("location") == "/elsewhere")
    }

    @Test("is not decoded")
    func encoded() async throws {
        let reply = try await receive("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\nsame")
        #expect(reply.body == Array("same".utf8))
    }

    @Test("asks in vain for a password: nothing is sent again")
    func unauthorized() async throws {
        let reply = try await receive(
            "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic\r\nContent-Length: 0\r\n\r\n"
        )
        #expect(reply.status == 401)
    }

    @Test("may be as long as its limit", arguments: [0, 1, 4_096])
    func atLimit(_ limit: Int) async throws {
        let reply = try await receive(
            "HTTP/1.1 200 OK\r\nContent-Length: \(limit)\r\n\r\n" + String(repeating: "x", count: limit),
            limitBytes: limit
        )
        #expect(reply.body.count == limit)
    }

    @Test("may be cut at its limit, where no more of it is wanted", arguments: [0, 1, 4_096])
    func cut(_ limit: Int) async throws {
        let endless = [
            ServerStep.readRequest, .write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"),
            .writeForever("400\r\n\(String(repeating: "x", count: 1_024))\r\n", pauseMilliseconds: 0),
        ]
        try await withServer(ScriptedServer { _ in endless }) { server in
            let result = await withTransport { transport in
                await transport.send(
                    .loopback(server.port).with {
                        $0.replyLimitBytes = limit
                        $0.cutsLongReply = true
                    }
                )
            }
            let reply = try #require(result.reply, "\(result)")
            #expect(reply.status == 200)
            #expect(reply.body.count == limit)
        }
    }

    /// Has a server send this text in answer to one request, which is all it may get.
    private func receive(_ text: String, limitBytes: Int = 100) async throws -> HTTPReply {
        try await withServer(ScriptedServer(each: .readRequest, .write(text))) { server in
            let result = await withTransport { transport in
                await transport.send(.loopback(server.port).with { $0.replyLimitBytes = limitBytes })
            }
            #expect(server.requests.count == 1)
            return try #require(result.reply, "\(result)")
        }
    }
}
