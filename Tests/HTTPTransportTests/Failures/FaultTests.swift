import HTTPTransport
import Testing
import TributaryTestKit

/// For each point at which a server can fail: what the caller is told.
@Suite("A server that fails")
struct FaultTests {
    private static let closed = Verdict(.connectionClosed, mayHaveArrived: true)
    private static let timedOut = Verdict(.timedOut, mayHaveArrived: true)
    private static let malformed = Verdict(.malformedReply, mayHaveArrived: true)
    private static let tooLarge = Verdict(.replyTooLarge, mayHaveArrived: true)
    private static let head = head(of: 10)
    private static let drip = ServerStep.writeForever("x", pauseMilliseconds: 20)
    private static let long = String(repeating: "x", count: 100)

    private static let cases: [FaultCase] = [
        FaultCase("closes when the request begins", [.awaitByte], closed),
        FaultCase("closes after the header fields", [.readHead], closed),
        FaultCase("closes within the body", [.readHead, .read(1_000)], closed),
        FaultCase("closes after the request", [.readRequest], closed),
        FaultCase("closes within the status line", [.readRequest, .write("HTTP/1.")], closed),
        FaultCase(
            "closes within the reply's header fields",
            [.readRequest, .write("HTTP/1.1 200 OK\r\nA: b\r\n")],
            closed
        ),
        FaultCase("closes after an interim reply", [.readRequest, .write("HTTP/1.1 103 Early Hints\r\n\r\n")], closed),
        FaultCase("closes within the reply's body", [.readRequest, .write(head + "half")], closed),
        FaultCase("closes within a chunk", [.readRequest, .write(chunked("a\r\nhalf"))], closed),
        FaultCase("closes before the last chunk", [.readRequest, .write(chunked("4\r\nhalf\r\n"))], closed),

        FaultCase("resets when the request begins", [.awaitByte, .reset], closed),
        FaultCase("resets after the header fields", [.readHead, .reset], closed),
        FaultCase("resets within the body", [.readHead, .read(1_000), .reset], closed),
        FaultCase("resets after the request", [.readRequest, .reset], closed),
        FaultCase("resets within the reply's header fields", [.readRequest, .write("HTTP/1.1 2"), .reset], closed),
        FaultCase("resets within the reply's body", [.readRequest, .write(head + "half"), .reset], closed),

        FaultCase("stalls when the request begins", [.awaitByte, .stall], timedOut),
        FaultCase("stalls after the header fields", [.readHead, .stall], timedOut),
        FaultCase("stalls within the body", [.readHead, .read(1_000), .stall], timedOut),
        FaultCase("stalls after the request", [.readRequest, .stall], timedOut),
        FaultCase("stalls within the reply's header fields", [.readRequest, .write("HTTP/1.1 2"), .stall], timedOut),
        FaultCase("stalls within the reply's body", [.readRequest, .write(head + "half"), .stall], timedOut),

        FaultCase("drips its header fields", [.readRequest, .write("HTTP/1.1 200 OK\r\nA: "), drip], timedOut),
        FaultCase("drips its body", [.readRequest, .write(head(of: 4_000)), drip], timedOut),
        FaultCase("drips a body without a length", [.readRequest, .write("HTTP/1.1 200 OK\r\n\r\n"), drip], timedOut),
        FaultCase(
            "drips chunks",
            [.readRequest, .write(chunked("")), .writeForever("1\r\nx\r\n", pauseMilliseconds: 20)],
            timedOut
        ),
        FaultCase(
            "drips interim replies",
            [.readRequest, .writeForever("HTTP/1.1 103 Early Hints\r\n\r\n", pauseMilliseconds: 20)],
            timedOut
        ),

        FaultCase("speaks another protocol", [.readRequest, .write("SSH-2.0-Server\r\n")], malformed),
        FaultCase("sends a status that is none", [.readRequest, .write("HTTP/1.1 OK\r\n\r\n")], malformed),
        FaultCase("sends another version of HTTP", [.readRequest, .write("HTTP/7 200 OK\r\n\r\n")], malformed),
        FaultCase(
            "sends a length that is none",
            [.readRequest, .write("HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n")],
            malformed
        ),
        FaultCase("sends a chunk length that is none", [.readRequest, .write(chunked("zz\r\nhalf\r\n"))], malformed),

        FaultCase("announces a body over the limit", [.readRequest, .write(large(announced: true))], tooLarge),
        FaultCase("sends a body over the limit", [.readRequest, .write(large(announced: false))], tooLarge),
        FaultCase("sends header fields over the limit", [.readRequest, .write(largeHead)], tooLarge),
        FaultCase(
            "streams a body for ever",
            [.readRequest, .write("HTTP/1.1 200 OK\r\n\r\n"), .writeForever(long, pauseMilliseconds: 0)],
            tooLarge
        ),
        FaultCase(
            "streams chunks for ever",
            [.readRequest, .write(chunked("")), .writeForever("64\r\n\(long)\r\n", pauseMilliseconds: 0)],
            tooLarge
        ),
        FaultCase(
            "streams interim replies for ever",
            [.readRequest, .writeForever("HTTP/1.1 103 Early Hints\r\n\r\n", pauseMilliseconds: 0)],
            tooLarge
        ),
        FaultCase(
            "streams trailers for ever",
            [
                .readRequest, .write(chunked("1\r\nx\r\n0\r\n")),
                .writeForever("A: \(long)\r\n", pauseMilliseconds: 0),
            ],
            tooLarge
        ),
    ]

    @Test("is answered with a reason, and with doubt once the request has begun", arguments: cases)
    func fault(_ fault: FaultCase) async throws {
        let result = try await withServer(ScriptedServer { _ in fault.steps }) { server in
            await withTransport { transport in await transport.send(fault.request(to: server.port)) }
        }
        #expect(result.verdict == fault.expected, "\(result)")
    }

    @Test("gets one request from a fresh connection, whatever happens to it", arguments: cases)
    func faultOnFreshConnection(_ fault: FaultCase) async throws {
        try await withServer(ScriptedServer { _ in fault.steps }) { server in
            let result = await withTransport { transport in
                await transport.send(fault.request(to: server.port).with { $0.freshConnection = true })
            }
            #expect(result.verdict == fault.expected, "\(result)")
            #expect(server.connections == 1)
        }
    }

    @Test("at once after accepting may fail before or while the request is sent, and is told apart")
    func resetOnAccept() async throws {
        let result = try await withServer(ScriptedServer(each: .reset)) { server in
            await withTransport { transport in await transport.send(.loopback(server.port)) }
        }
        let allowed = [Verdict(.couldNotConnect, mayHaveArrived: false), Self.closed]
        #expect(allowed.contains { $0 == result.verdict }, "\(result)")
    }

    private static func head(of length: Int) -> String {
        "HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\n\r\n"
    }

    private static func chunked(_ text: String) -> String {
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + text
    }

    private static func large(announced: Bool) -> String {
        let length = FaultCase.replyLimitBytes + 1
        let field = announced ? "Content-Length: \(length)\r\n" : ""
        return "HTTP/1.1 200 OK\r\n\(field)\r\n" + String(repeating: "x", count: length)
    }

    private static var largeHead: String {
        let field = "X: " + String(repeating: "y", count: 1_000) + "\r\n"
        return "HTTP/1.1 200 OK\r\n" + String(repeating: field, count: 66) + "\r\n"
    }
}
