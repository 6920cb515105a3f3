import HTTPTransport
import Testing
import TributaryTestKit

@Suite("Stopping")
struct StopTests {
    @Test("ends what is in flight, with doubt where the request had begun", .timeLimit(.minutes(10)))
    func inFlight() async throws {
        try await withServer(ScriptedServer(each: .readRequest, .stall)) { server in
            let transport = HTTPTransport()
            async let result = transport.send(.loopback(server.port))
            await server.waitForRequests(1)
            await transport.stop()
            #expect(await result.verdict == Verdict(.stopped, mayHaveArrived: true))
            await server.waitUntilIdle()
        }
    }

    @Test("refuses what comes later, and may be repeated")
    func later() async throws {
        let transport = HTTPTransport()
        await transport.stop()
        await transport.stop()
        let result = await transport.send(.loopback(try LoopbackSocket.unusedPort()))
        #expect(result.verdict == Verdict(.stopped, mayHaveArrived: false))
    }

    @Test("closes idle connections", .timeLimit(.minutes(10)))
    func idle() async throws {
        try await withServer(ScriptedServer(each: .readRequest, .ok, .stall)) { server in
            let transport = HTTPTransport()
            _ = try #require(await transport.send(.loopback(server.port)).reply)
            await transport.stop()
            await server.waitUntilIdle()
        }
    }

    @Test("is what happens when nothing refers to the transport any more", .timeLimit(.minutes(10)))
    func released() async throws {
        try await withServer(ScriptedServer(each: .readRequest, .ok, .stall)) { server in
            let reply = await HTTPTransport().send(.loopback(server.port)).reply
            #expect(reply?.status == 200)
            await server.waitUntilIdle()
        }
    }

    @Test("in a race with a hundred requests answers each of them", .timeLimit(.minutes(10)))
    func race() async throws {
        try await withServer(ScriptedServer(each: .readRequest, .ok)) { server in
            let transport = HTTPTransport()
            await withTaskGroup { group in
                for _ in 0..<100 {
                    group.addTask {
                        let result = await transport.send(.loopback(server.port))
                        #expect(result.reply?.status == 200 || result.failure?.reason == .stopped)
                    }
                }
                group.addTask { await transport.stop() }
                group.addTask { await transport.stop() }
            }
        }
    }
}
