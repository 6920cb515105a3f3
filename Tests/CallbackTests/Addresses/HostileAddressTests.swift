import Domain
import HTTPTransport
import Storage
import Testing
import TributaryTestKit

@testable import Callbacks
@testable import Wiring

@Suite("An endpoint's address", .timeLimit(.minutes(10)))
struct HostileAddressTests {
    private static let host = "hooks.example"

    private static func request(to url: String) -> CallbackRequest {
        var ids = IdentifierSource()
        let now = Timestamp(microseconds: 1_800_000_000_000_000)
        let endpoint = CallbackEndpoint(
            id: ids.make(at: now),
            marketplace: "travel",
            merchant: nil,
            url: url,
            secrets: CallbackSecrets(.reference("env:A")),
            createdAt: now
        )
        return CallbackRequest("cb_1", "{}", to: endpoint, with: [], at: now)
    }

    @Test("is refused when it is saved and when it is sent to, by the same rule")
    func hostile() async {
        #expect(HostileURL.all.count >= 60)
        let transport = HTTPTransport()
        let sender = CurlCallbackSender(transport, allowsLoopback: false)
        for url in HostileURL.all {
            let rule = url.rule.description
            #expect(CurlCallbackSender.refusal(of: url.text, allowsLoopback: false) == rule, "\(url.text)")
            #expect(sender.refusal(of: url.text) == rule, "\(url.text)")
            let reply = await sender.send(Self.request(to: url.text))
            guard case .silence(let reason) = reply else {
                Issue.record("\(url.text): \(reply)")
                continue
            }
            #expect(reason == "refusedURL: \(rule)" || reason == "refusedAddress: \(rule)", "\(url.text): \(reason)")
        }
        await transport.stop()
    }

    @Test(
        "may be a public name or address on the usual ports",
        arguments: ["https://hooks.example/a?b=c", "https://hooks.example:8443/", "https://8.8.8.8/"]
    )
    func sound(_ url: String) {
        #expect(CurlCallbackSender.refusal(of: url, allowsLoopback: false) == nil)
    }

    @Test(
        "may be this machine's under the development switch alone",
        arguments: ["http://127.0.0.1:9000/", "http://localhost:3000/hook", "http://[::1]:1/", "https://localhost:99/"]
    )
    func development(_ url: String) {
        #expect(CurlCallbackSender.refusal(of: url, allowsLoopback: true) == nil)
        #expect(CurlCallbackSender.refusal(of: url, allowsLoopback: false) != nil)
    }

    @Test("is not connected to once its name leads inside, though it was public when it was saved")
    func rebinding() async throws {
        let server = try ScriptedServer(each: .awaitByte)
        let transport = HTTPTransport()
        var policy = AddressPolicy(ports: [server.port])
        policy.exempted = Set([IPAddress("127.0.0.2")].compactMap(\.self))
        let url = "https://\(Self.host):\(server.port)/hooks"
        for (address, connections) in [("127.0.0.2", 0), ("127.0.0.1", 0), ("10.0.0.1", 0), ("[::1]", 0)] {
            let sender = CurlCallbackSender(
                transport,
                policy,
                timeoutMilliseconds: 2_000,
                nameAnswers: ["\(Self.host):\(server.port):\(address)"]
            )
            #expect(sender.refusal(of: url) == nil)
            let reply = await sender.send(Self.request(to: url))
            guard case .silence(let reason) = reply else {
                Issue.record("\(address): \(reply)")
                continue
            }
            let isRefused = reason.hasPrefix("refusedAddress: the host's address is not public: ")
            #expect(isRefused == (address != "127.0.0.2"), "\(address): \(reason)")
            #expect(server.connections == connections)
        }
        await transport.stop()
        server.stop()
    }

    @Test("is not told to anybody who describes the request, nor is what it carries")
    func descriptions() {
        let request = Self.request(to: "https://hooks.example/a?token=hush")
        var dumped = ""
        dump(request, to: &dumped)
        for text in ["\(request)", String(reflecting: request), dumped] {
            #expect(!text.contains("hush") && !text.contains("v1,"), "\(text)")
        }
    }
}
