import HTTPTransport
import Testing
import TributaryTestKit

@Suite("A request that never got a connection")
struct ConnectionFailureTests {
    @Test("was refused by the peer and never sent")
    func refused() async throws {
        let port = try LoopbackSocket.unusedPort()
        let result = await withTransport { transport in await transport.send(.loopback(port)) }
        #expect(result.verdict == Verdict(.couldNotConnect, mayHaveArrived: false))
    }

    @Test("has a host without an address and was never sent")
    func unresolved() async {
        // A label of 64 letters cannot stand in a question to a name server, so none is asked.
        let name = String(repeating: "a", count: 64) + ".invalid"
        let result = await withTransport { transport in
            await transport.send(HTTPRequest(.post, "https://\(name)/", body: [1]))
        }
        #expect(result.verdict == Verdict(.couldNotResolve, mayHaveArrived: false))
    }

    @Test("timed out in connecting and was never sent", arguments: [true, false])
    func stalled(limitIsOnConnecting: Bool) async throws {
        // With the backlog full, the system drops what would open a connection.
        let listener = try LoopbackSocket.listening(backlog: 0)
        defer { listener.close() }
        let port = try listener.port
        let fillers = try (0..<4).map { _ in try LoopbackSocket.connecting(to: port) }
        defer { for filler in fillers { filler.close() } }
        let result = await withTransport { transport in
            await transport.send(
                .loopback(port).with {
                    if limitIsOnConnecting {
                        $0.connectTimeoutMilliseconds = 200
                    } else {
                        $0.totalTimeoutMilliseconds = 200
                    }
                }
            )
        }
        #expect(result.verdict == Verdict(.timedOut, mayHaveArrived: false))
    }
}
