import HTTPTransport
import Testing
import TributaryTestKit

@Suite("A bulkhead", .timeLimit(.minutes(10)))
struct BulkheadTests {
    @Test("keeps an account that is never answered from delaying another at the same host")
    func sameHost() async throws {
        let server = try ScriptedServer { $0 < 2 ? [.readRequest, .stall] : [.readRequest, .ok] }
        try await withServer(server) { server in
            let limits = TransportLimits(requestsPerHost: 3, requestsPerBulkhead: 2)
            try await withTransport(limits) { transport in
                async let stuck = verdicts(of: 20, "stalled", at: server.port, through: transport)
                await server.waitForRequests(2)
                for _ in 0..<5 {
                    let result = await transport.send(request("quick", server.port))
                    _ = try #require(result.reply, "\(result)")
                }
                await transport.stop()
                let verdicts = await stuck
                #expect(verdicts.filter { $0 == Verdict(.stopped, mayHaveArrived: true) }.count == 2)
                #expect(verdicts.filter { $0 == Verdict(.stopped, mayHaveArrived: false) }.count == 18)
            }
            #expect(server.requests.count == 7)
        }
    }

    @Test("keeps an account that is never answered anywhere from using up the total")
    func total() async throws {
        let here = try ScriptedServer(each: .readRequest, .stall)
        let there = try ScriptedServer(each: .readRequest, .stall)
        let quick = try ScriptedServer(each: .readRequest, .ok)
        try await withServer(here) { here in
            try await withServer(there) { there in
                try await withServer(quick) { quick in
                    let limits = TransportLimits(requestsPerHost: 2, requestsInTotal: 3, requestsPerBulkhead: 2)
                    try await withTransport(limits) { transport in
                        async let one = transport.send(request("stalled", here.port))
                        await here.waitForRequests(1)
                        async let two = transport.send(request("stalled", there.port))
                        await there.waitForRequests(1)
                        async let more = verdicts(of: 20, "stalled", at: there.port, through: transport)
                        let result = await transport.send(request("quick", quick.port))
                        _ = try #require(result.reply, "\(result)")
                        await transport.stop()
                        #expect(await one.failure?.mayHaveArrived == true)
                        #expect(await two.failure?.mayHaveArrived == true)
                        #expect(await Set(more) == [Verdict(.stopped, mayHaveArrived: false)])
                    }
                }
            }
        }
    }

    @Test("that is full refuses at once what may no longer wait in it, and never sends it")
    func queueFull() async throws {
        try await withServer(ScriptedServer(each: .readRequest, .stall)) { server in
            let limits = TransportLimits(requestsPerBulkhead: 1, requestsWaitingPerBulkhead: 0)
            await withTransport(limits) { transport in
                async let flying = transport.send(request("stalled", server.port))
                await server.waitForRequests(1)
                let refused = await transport.send(request("stalled", server.port))
                #expect(refused.verdict == Verdict(.queueFull, mayHaveArrived: false))
                await transport.stop()
                _ = await flying
            }
            #expect(server.connections == 1)
        }
    }

    private func request(_ bulkhead: String, _ port: UInt16) -> HTTPRequest {
        .loopback(port).with { $0.bulkhead = bulkhead }
    }

    private func verdicts(
        of count: Int,
        _ bulkhead: String,
        at port: UInt16,
        through transport: HTTPTransport
    ) async -> [Verdict?] {
        await withTaskGroup { group in
            for _ in 0..<count { group.addTask { await transport.send(request(bulkhead, port)).verdict } }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }
}
