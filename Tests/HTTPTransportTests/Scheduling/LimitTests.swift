import HTTPTransport
import Testing
import TributaryTestKit

@Suite("Limits")
struct LimitTests {
    @Test("let 200 requests to one host through, 8 at a time", .timeLimit(.minutes(10)))
    func perHost() async throws {
        // No reply is sent before eight requests are there at once.
        let server = try Self.server(behind: Gate(opensAt: 8))
        await withServer(server) { server in
            let replies = await withTransport(TransportLimits(requestsPerHost: 8)) { transport in
                await Self.replies(to: 200, HTTPRequest.loopback(server.port), through: transport)
            }
            #expect(replies == 200)
            #expect(server.requests.count == 200)
            #expect(server.mostOpen == 8)
            #expect(server.mostUnanswered == 8)
        }
    }

    @Test("hold over all hosts together", .timeLimit(.minutes(10)))
    func inTotal() async throws {
        let gate = Gate(opensAt: 6)
        let here = try Self.server(behind: gate)
        let there = try Self.server(behind: gate)
        await withServer(here) { here in
            await withServer(there) { there in
                let limits = TransportLimits(requestsPerHost: 4, requestsInTotal: 6)
                let replies = await withTransport(limits) { transport in
                    async let first = Self.replies(to: 20, .loopback(here.port), through: transport)
                    async let second = Self.replies(to: 20, .loopback(there.port), through: transport)
                    return await first + second
                }
                #expect(replies == 40)
                #expect(here.mostUnanswered <= 4)
                #expect(there.mostUnanswered <= 4)
            }
        }
    }

    @Test("keep a host that stalls from delaying another", .timeLimit(.minutes(10)))
    func stalledHost() async throws {
        let stalled = try ScriptedServer(each: .readRequest, .stall)
        let quick = try ScriptedServer(each: .readRequest, .ok)
        try await withServer(stalled) { stalled in
            try await withServer(quick) { quick in
                try await withTransport(TransportLimits(requestsPerHost: 2)) { transport in
                    async let stuck = Self.verdicts(of: 20, .loopback(stalled.port), through: transport)
                    await stalled.waitForRequests(2)
                    let reply = try #require(await transport.send(.loopback(quick.port)).reply)
                    #expect(reply.status == 200)
                    await transport.stop()
                    let verdicts = await stuck
                    #expect(verdicts.filter { $0 == Verdict(.stopped, mayHaveArrived: true) }.count == 2)
                    #expect(verdicts.filter { $0 == Verdict(.stopped, mayHaveArrived: false) }.count == 18)
                }
            }
        }
    }

    @Test("refuse one request more than may wait, which was never sent", .timeLimit(.minutes(10)))
    func queueFull() async throws {
        try await withServer(ScriptedServer(each: .readRequest, .stall)) { server in
            let limits = TransportLimits(requestsPerHost: 1, requestsWaiting: 1)
            await withTransport(limits) { transport in
                async let flying = transport.send(.loopback(server.port))
                await server.waitForRequests(1)
                // Of two, one is refused at once: then it is certain that the other waits.
                await withTaskGroup { group in
                    for _ in 0..<2 { group.addTask { await transport.send(.loopback(server.port)).verdict } }
                    #expect(await group.next() == Verdict(.queueFull, mayHaveArrived: false))
                    await transport.stop()
                    #expect(await group.next() == Verdict(.stopped, mayHaveArrived: false))
                }
                #expect(await flying.verdict == Verdict(.stopped, mayHaveArrived: true))
            }
            #expect(server.connections == 1)
        }
    }

    @Test("count waiting as part of the time, and a request that only waited was never sent")
    func timedOutWaiting() async throws {
        try await withServer(ScriptedServer(each: .readRequest, .stall)) { server in
            await withTransport(TransportLimits(requestsPerHost: 1)) { transport in
                async let flying = transport.send(.loopback(server.port))
                await server.waitForRequests(1)
                let waited = await transport.send(.loopback(server.port).with { $0.totalTimeoutMilliseconds = 200 })
                #expect(waited.verdict == Verdict(.timedOut, mayHaveArrived: false))
                await transport.stop()
                _ = await flying
            }
            #expect(server.connections == 1)
        }
    }

    @Test("give the place of a request that failed to the next")
    func placeIsGivenBack() async throws {
        let server = try ScriptedServer { $0 == 0 ? [.readRequest, .stall] : [.readRequest, .ok] }
        await withServer(server) { server in
            await withTransport(TransportLimits(requestsPerHost: 1)) { transport in
                async let stalled = transport.send(.loopback(server.port).with { $0.totalTimeoutMilliseconds = 1_000 })
                await server.waitForRequests(1)
                let next = await transport.send(.loopback(server.port))
                #expect(next.reply?.status == 200)
                #expect(await stalled.verdict == Verdict(.timedOut, mayHaveArrived: true))
            }
        }
    }

    /// A server that answers all requests of a connection, from the moment on at which the gate has opened.
    ///
    /// It closes none: libcurl repeats a request that meets a reused connection just as it is closed, but gives it up
    /// after six in a row, which happens where a server closes each of eight after one reply.
    private static func server(behind gate: Gate) throws -> ScriptedServer {
        try ScriptedServer { _ in (0..<200).flatMap { _ in [.readRequest, .pass(gate), .ok] } }
    }

    private static func replies(to count: Int, _ request: HTTPRequest, through transport: HTTPTransport) async -> Int {
        await withTaskGroup { group in
            for _ in 0..<count { group.addTask { await transport.send(request).reply?.status == 200 ? 1 : 0 } }
            return await group.reduce(0, +)
        }
    }

    private static func verdicts(
        of count: Int,
        _ request: HTTPRequest,
        through transport: HTTPTransport
    ) async -> [Verdict?] {
        await withTaskGroup { group in
            for _ in 0..<count { group.addTask { await transport.send(request).verdict } }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }
}
