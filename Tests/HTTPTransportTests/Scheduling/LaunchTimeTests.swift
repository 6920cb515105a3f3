import Testing
import TributaryTestKit

@testable import HTTPTransport

@Suite("A request with a time to launch", .timeLimit(.minutes(10)))
struct LaunchTimeTests {
    private static let passed = Verdict(.launchTimePassed, mayHaveArrived: false)

    @Test("that passed before it came is never begun, even though a place is free")
    func passedBefore() async throws {
        try await withServer(ScriptedServer(each: .readRequest, .ok)) { server in
            await withTransport { transport in
                #expect(await transport.send(.loopback(server.port).launched(by: .now)).verdict == Self.passed)
            }
            #expect(server.connections == 0)
        }
    }

    @Test("ends when it passes while it waits for a place, and leaves the queue")
    func waiting() async throws {
        let server = try ScriptedServer { $0 == 0 ? [.readRequest, .stall] : [.readRequest, .ok] }
        await withServer(server) { server in
            await withTransport(TransportLimits(requestsPerHost: 1, requestsWaiting: 1)) { transport in
                let flying = Task { await transport.send(.loopback(server.port)) }
                await server.waitForRequests(1)
                for _ in 0..<2 {
                    let sendBefore = ContinuousClock.now + .milliseconds(100)
                    let result = await transport.send(.loopback(server.port).launched(by: sendBefore))
                    #expect(result.verdict == Self.passed)
                    #expect(ContinuousClock.now >= sendBefore)
                }
                flying.cancel()
                _ = await flying.value
                #expect(await transport.send(.loopback(server.port)).reply?.status == 200)
            }
            #expect(server.requests.count == 2)
        }
    }

    @Test("ends when it passes while the connection is made")
    func connecting() async throws {
        let listener = try LoopbackSocket.listening(backlog: 0)
        defer { listener.close() }
        let port = try listener.port
        let fillers = try (0..<4).map { _ in try LoopbackSocket.connecting(to: port) }
        defer { for filler in fillers { filler.close() } }
        let result = await withTransport { transport in
            await transport.send(.loopback(port).launched(by: .now + .milliseconds(200)))
        }
        #expect(result.verdict == Self.passed)
    }

    @Test("goes on when it passes after the request was sent")
    func begun() async throws {
        try await withServer(ScriptedServer(each: .readRequest, .pause(milliseconds: 2_100), .ok)) { server in
            let result = await withTransport {
                await $0.send(.loopback(server.port).launched(by: .now + .seconds(2)))
            }
            #expect(result.reply?.status == 200, "\(result)")
        }
    }

    @Test("is answered as timed out where its whole time is over first")
    func timedOut() async throws {
        try await withServer(ScriptedServer(each: .readRequest, .stall)) { server in
            await withTransport(TransportLimits(requestsPerHost: 1)) { transport in
                async let flying = transport.send(.loopback(server.port))
                await server.waitForRequests(1)
                let waited = HTTPRequest.loopback(server.port).launched(by: .now + .seconds(20))
                let result = await transport.send(waited.with { $0.totalTimeoutMilliseconds = 100 })
                #expect(result.verdict == Verdict(.timedOut, mayHaveArrived: false))
                await transport.stop()
                _ = await flying
            }
        }
    }

    @Test("that passes about when a place is free is either sent or certainly not")
    func race() async throws {
        try await withServer(ScriptedServer(each: .readRequest, .ok)) { server in
            let verdicts = await withTransport(TransportLimits(requestsPerHost: 1)) { transport in
                await withTaskGroup(of: Verdict?.self) { group in
                    for index in 0..<300 {
                        group.addTask {
                            let sendBefore = ContinuousClock.now + .microseconds(index * 100)
                            let request = HTTPRequest.loopback(server.port).launched(by: sendBefore)
                            return await transport.send(request.with { $0.freshConnection = true }).verdict
                        }
                    }
                    return await group.reduce(into: []) { $0.append($1) }
                }
            }
            #expect(Set(verdicts).isSubset(of: [nil, Self.passed]))
            #expect(server.requests.count == verdicts.filter { $0 == nil }.count)
        }
    }

    @Test("is asked for the time once more whenever libcurl is about to send it")
    func departure() {
        let sendBefore = ContinuousClock.now
        let checks = DepartureChecks(sendBefore: sendBefore, addressGuard: nil)
        #expect(checks.refusalToSend(to: nil, at: sendBefore - .nanoseconds(1)) == nil)
        #expect(checks.refusalToSend(to: nil, at: sendBefore)?.reason == .launchTimePassed)
    }

    @Test("is not sent again after it, though libcurl would, and the doubt of the first time stays")
    func repetition() async throws {
        let server = try ScriptedServer {
            $0 == 0
                ? [.readRequest, .ok, .readRequest, .pause(milliseconds: 2_100)] : [.readRequest, .ok]
        }
        try await withServer(server) { server in
            try await withTransport { transport in
                _ = try #require(await transport.send(.loopback(server.port)).reply)
                let result = await transport.send(.loopback(server.port).launched(by: .now + .seconds(2)))
                #expect(result.verdict == Verdict(.launchTimePassed, mayHaveArrived: true))
            }
            #expect(server.requests.count == 2)
        }
    }
}

extension HTTPRequest {
    fileprivate func launched(by instant: ContinuousClock.Instant) -> Self { with { $0.sendBefore = instant } }
}
