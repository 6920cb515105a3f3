import HTTPTransport
import Testing
import TributaryTestKit

@Suite("Descriptions")
struct DescriptionTests {
    private static let secret = "sk-very-secret"

    @Test("of a request and a reply hold nothing that may be secret")
    func values() {
        let request = HTTPRequest(
            .post,
            "https://example.com/pay?key=\(Self.secret)",
            headers: [HTTPHeader("Authorization", Self.secret)],
            body: Array(Self.secret.utf8)
        )
        let reply = HTTPReply(
            status: 200,
            headers: [HTTPHeader("Set-Cookie", Self.secret)],
            body: Array(Self.secret.utf8)
        )
        let pem = PEM.bytes(Array(Self.secret.utf8))
        for text in [Self.everything(request), Self.everything(reply), Self.everything(pem)] {
            #expect(!text.contains(Self.secret))
            #expect(!text.contains("115"), "the bytes of a body are shown")
        }
        #expect("\(request)" == "POST https://example.com/pay")
        #expect("\(reply)" == "HTTP 200, 14 bytes")
    }

    @Test("of a failure hold nothing of what was sent or received")
    func failures() async throws {
        let garbage = "HTTP/1.1 200 OK\r\nContent-Length: \(Self.secret)\r\n\r\n"
        try await withServer(ScriptedServer(each: .readRequest, .write(garbage))) { server in
            await withTransport { transport in
                let request = HTTPRequest.loopback(server.port, path: "/\(Self.secret)", body: Self.secret)
                let result = await transport.send(request)
                #expect(result.failure?.reason == .malformedReply)
                #expect(!Self.everything(result).contains(Self.secret))
            }
        }
    }

    @Test("of a failure say whether it may have arrived")
    func doubt() {
        let failure = TransportFailure(.timedOut, "too late", mayHaveArrived: true)
        #expect("\(failure)" == "timedOut: too late; may have arrived")
        #expect("\(TransportFailure(.stopped, "no", mayHaveArrived: false))" == "stopped: no; never sent")
    }

    private static func everything<Value>(_ value: Value) -> String {
        var dumped = ""
        dump(value, to: &dumped)
        return "\(value) \(String(reflecting: value)) \(dumped)"
    }
}
