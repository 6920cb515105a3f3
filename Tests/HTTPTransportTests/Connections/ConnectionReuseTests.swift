import HTTPTransport
import Testing
import TributaryTestKit

/// libcurl sends a request again when a reused connection closes before the reply, and says nothing of it.
@Suite("A connection that was kept", .timeLimit(.minutes(10)))
struct ConnectionReuseTests {
    @Test("serves the next request")
    func reused() async throws {
        try await withServer(ScriptedServer(each: .readRequest, .ok, .readRequest, .ok)) { server in
            try await withTransport { transport in
                for _ in 0..<2 {
                    let reply = try #require(await transport.send(.loopback(server.port)).reply)
                    #expect(reply.status == 200)
                }
            }
            #expect(server.requests.map(\.connection) == [0, 0])
        }
    }

    @Test("is replaced when the peer closed it while idle, and each request arrives once")
    func closedWhileIdle() async throws {
        try await withServer(ScriptedServer(each: .readRequest, .ok)) { server in
            try await withTransport { transport in
                _ = try #require(await transport.send(.loopback(server.port)).reply)
                await server.waitUntilIdle()
                _ = try #require(await transport.send(.loopback(server.port)).reply)
            }
            #expect(server.requests.map(\.connection) == [0, 1])
        }
    }

    @Test("makes libcurl send twice what the peer read before it closed: the hazard")
    func sentTwice() async throws {
        try await withServer(ScriptedServer(Self.secondRequestUnanswered)) { server in
            try await withTransport { transport in
                _ = try #require(await transport.send(.loopback(server.port, body: "first")).reply)
                _ = try #require(await transport.send(.loopback(server.port, body: "second")).reply)
            }
            #expect(server.requests.map { String(decoding: $0.body, as: UTF8.self) } == ["first", "second", "second"])
        }
    }

    @Test("is left alone by a request that wants a fresh one, which is sent once")
    func freshIsSentOnce() async throws {
        let script: @Sendable (Int) -> [ServerStep] = {
            $0 == 0 ? [.readRequest, .ok, .readRequest, .ok] : [.readRequest]
        }
        try await withServer(ScriptedServer(script)) { server in
            try await withTransport { transport in
                _ = try #require(await transport.send(.loopback(server.port, body: "first")).reply)
                let fresh = HTTPRequest.loopback(server.port, body: "fresh").with { $0.freshConnection = true }
                let result = await transport.send(fresh)
                #expect(result.verdict == Verdict(.connectionClosed, mayHaveArrived: true))
                _ = try #require(await transport.send(.loopback(server.port, body: "third")).reply)
            }
            #expect(server.requests.map { String(decoding: $0.body, as: UTF8.self) } == ["first", "fresh", "third"])
            #expect(server.requests.map(\.connection) == [0, 1, 0])
        }
    }

    @Test("is not made by a request that wanted its own")
    func freshIsNotKept() async throws {
        try await withServer(ScriptedServer(each: .readRequest, .ok, .readRequest, .ok)) { server in
            try await withTransport { transport in
                for _ in 0..<2 {
                    let fresh = HTTPRequest.loopback(server.port).with { $0.freshConnection = true }
                    _ = try #require(await transport.send(fresh).reply)
                    await server.waitUntilIdle()
                }
            }
            #expect(server.requests.map(\.connection) == [0, 1])
        }
    }

    @Test("leaves doubt when it closes and the repetition cannot connect")
    func repetitionRefused() async throws {
        let server = try ScriptedServer(each: .readRequest, .ok, .readRequest, .stopListening)
        try await withServer(server) { server in
            try await withTransport { transport in
                _ = try #require(await transport.send(.loopback(server.port)).reply)
                let result = await transport.send(.loopback(server.port))
                #expect(result.verdict == Verdict(.couldNotConnect, mayHaveArrived: true))
            }
            #expect(server.requests.count == 2)
        }
    }

    private static let secondRequestUnanswered: @Sendable (Int) -> [ServerStep] = {
        $0 == 0 ? [.readRequest, .ok, .readRequest] : [.readRequest, .ok]
    }
}
