import HTTPTransport
import Testing
import TributaryTestKit

/// Whatever happens before the handshake is done, the request has not been sent.
@Suite("A server that fails in the TLS handshake")
struct HandshakeFaultTests {
    private static let failed = Verdict(.tlsFailed, mayHaveArrived: false)
    private static let timedOut = Verdict(.timedOut, mayHaveArrived: false)

    @Test(
        "never got the request",
        arguments: [
            FaultCase("closes when the handshake begins", [.awaitByte], failed),
            FaultCase("closes within the client's greeting", [.read(100)], failed),
            FaultCase("resets when the handshake begins", [.awaitByte, .reset], failed),
            FaultCase("resets within the client's greeting", [.read(100), .reset], failed),
            FaultCase("stalls when the handshake begins", [.awaitByte, .stall], timedOut),
            FaultCase("stalls without ever reading", [.stall], timedOut),
            FaultCase("answers in plain HTTP", [.awaitByte, .reply("plain")], failed),
            FaultCase("answers with half a record", [.awaitByte, .write("\u{16}\u{3}\u{3}")], failed),
        ]
    )
    func handshake(_ fault: FaultCase) async throws {
        let result = try await withServer(ScriptedServer { _ in fault.steps }) { server in
            await withTransport { transport in
                await transport.send(
                    .secure(server.port, trusting: nil).with {
                        if fault.expected.reason == .timedOut { $0.totalTimeoutMilliseconds = 1_000 }
                    }
                )
            }
        }
        #expect(result.verdict == fault.expected, "\(result)")
    }

    @Test("by stalling runs into the limit on connecting, which covers the handshake")
    func connectTimeout() async throws {
        let result = try await withServer(ScriptedServer(each: .stall)) { server in
            await withTransport { transport in
                await transport.send(.secure(server.port, trusting: nil).with { $0.connectTimeoutMilliseconds = 200 })
            }
        }
        #expect(result.verdict == Self.timedOut)
    }

    @Test("by closing at once may fail before the handshake begins, which is as certain")
    func closesAtOnce() async throws {
        let result = try await withServer(ScriptedServer(each: .reset)) { server in
            await withTransport { transport in await transport.send(.secure(server.port, trusting: nil)) }
        }
        #expect([.tlsFailed, .couldNotConnect].contains(result.failure?.reason))
        #expect(result.failure?.mayHaveArrived == false)
    }
}
