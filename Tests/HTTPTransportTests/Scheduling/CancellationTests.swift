import HTTPTransport
import Testing
import TributaryTestKit

@Suite("Cancelling the task")
struct CancellationTests {
    @Test("before sending sends nothing")
    func before() async throws {
        try await withServer(ScriptedServer(each: .readRequest, .ok)) { server in
            await withTransport { transport in
                await withTaskGroup(of: Verdict?.self) { group in
                    group.cancelAll()
                    group.addTask { await transport.send(.loopback(server.port)).verdict }
                    for await verdict in group {
                        #expect(verdict == Verdict(.cancelled, mayHaveArrived: false))
                    }
                }
            }
            #expect(server.connections == 0)
        }
    }

    @Test("after the request was read closes the connection and leaves doubt", .timeLimit(.minutes(10)))
    func after() async throws {
        try await withServer(ScriptedServer(each: .readRequest, .stall)) { server in
            await withTransport { transport in
                let task = Task { await transport.send(.loopback(server.port)) }
                await server.waitForRequests(1)
                task.cancel()
                #expect(await task.value.verdict == Verdict(.cancelled, mayHaveArrived: true))
                await server.waitUntilIdle()
            }
        }
    }

    @Test("while it waits for a place sends nothing, and frees the place in the queue", .timeLimit(.minutes(10)))
    func waiting() async throws {
        let server = try ScriptedServer { $0 == 0 ? [.readRequest, .stall] : [.readRequest, .ok] }
        await withServer(server) { server in
            await withTransport(TransportLimits(requestsPerHost: 1, requestsWaiting: 1)) { transport in
                let flying = Task { await transport.send(.loopback(server.port)) }
                await server.waitForRequests(1)
                // Of two, one is refused at once: then it is certain that the other waits.
                await withTaskGroup { group in
                    for _ in 0..<2 { group.addTask { await transport.send(.loopback(server.port)).verdict } }
                    #expect(await group.next() == Verdict(.queueFull, mayHaveArrived: false))
                    group.cancelAll()
                    #expect(await group.next() == Verdict(.cancelled, mayHaveArrived: false))
                }
                async let next = transport.send(.loopback(server.port))
                flying.cancel()
                #expect(await flying.value.verdict == Verdict(.cancelled, mayHaveArrived: true))
                #expect(await next.reply?.status == 200)
            }
            #expect(server.requests.count == 2)
        }
    }

    @Test("of a hundred requests at any moment answers each of them once", .timeLimit(.minutes(10)))
    func many() async throws {
        try await withServer(ScriptedServer(each: .readRequest, .ok)) { server in
            await withTransport(TransportLimits(requestsPerHost: 4)) { transport in
                let tasks = (0..<100).map { _ in Task { await transport.send(.loopback(server.port)) } }
                for task in tasks.reversed() { task.cancel() }
                for task in tasks {
                    let result = await task.value
                    #expect(result.reply?.status == 200 || result.failure?.reason == .cancelled)
                }
            }
        }
    }
}
