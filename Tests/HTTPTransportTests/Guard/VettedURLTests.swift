import Testing
import TributaryTestKit

@testable import HTTPTransport

@Suite("A URL that a stranger names")
struct VettedURLTests {
    @Test("stands in a table of hostile ones only once, and there are more than sixty")
    func tableIsLarge() {
        #expect(Set(HostileURL.all.map(\.text)).count == HostileURL.all.count)
        #expect(HostileURL.all.count > 60)
    }

    @Test("is refused by the rule it breaks", arguments: HostileURL.all)
    func hostile(_ url: HostileURL) {
        #expect(AddressPolicy().refusal(of: url.text) == url.rule)
    }

    @Test(
        "is read as one host and port",
        arguments: [
            ("https://hooks.example", VettedHost.name("hooks.example"), UInt16(443)),
            ("https://Hooks.Example/a?b=c@d:1#e@127.0.0.1", .name("hooks.example"), 443),
            ("https://hooks.example?@127.0.0.1/", .name("hooks.example"), 443),
            ("https://hooks.example#@127.0.0.1/", .name("hooks.example"), 443),
            ("https://a_b.xn--hks-sna.example:8443/%2e%2e/", .name("a_b.xn--hks-sna.example"), 8443),
            ("https://127.0.0.1.hooks.example/", .name("127.0.0.1.hooks.example"), 443),
            ("https://3com.example/", .name("3com.example"), 443),
            ("https://localhost.example/", .name("localhost.example"), 443),
            ("HTTPS://8.8.8.8:443/", .address(.v4(0x0808_0808)), 443),
            (
                "https://[2606:4700:4700::1111]/",
                .address(.v6(0x2606_4700_4700_0000_0000_0000_0000_1111)), 443
            ),
        ]
    )
    func plain(_ url: String, _ host: VettedHost, _ port: UInt16) throws {
        let vetted = try VettedURL(url, under: AddressPolicy())
        #expect(vetted.host == host)
        #expect(vetted.port == port)
        #expect(!vetted.isPlain)
    }

    @Test(
        "may be this machine's under the development switch, in plain http and on every port",
        arguments: [
            "http://127.0.0.1:9999/", "http://127.8.8.8/", "http://localhost:3000/hook", "http://[::1]:1/",
            "https://localhost:9999/", "https://127.0.0.1/", "https://hooks.example/",
        ]
    )
    func development(_ url: String) {
        #expect(AddressPolicy(allowsLoopback: true).refusal(of: url) == nil)
    }

    @Test(
        "is held to every other rule under the development switch",
        arguments: [
            ("http://hooks.example/", DestinationRefusal.scheme), ("http://10.0.0.1/", .scheme),
            ("http://8.8.8.8/", .scheme), ("https://10.0.0.1/", .address(.privateUse)),
            ("https://[::ffff:127.0.0.1]/", .address(.mapped)), ("https://169.254.169.254/", .address(.linkLocal)),
            ("https://0.0.0.0/", .address(.unspecified)), ("https://hooks.example:9999/", .port),
            ("http://user@localhost/", .credentials), ("http://127.1/", .host),
        ]
    )
    func developmentIsNarrow(_ url: String, _ rule: DestinationRefusal) {
        #expect(AddressPolicy(allowsLoopback: true).refusal(of: url) == rule)
    }

    @Test("is held to the ports of its policy")
    func ports() {
        let policy = AddressPolicy(ports: [9_000])
        #expect(policy.refusal(of: "https://hooks.example:9000/") == nil)
        #expect(policy.refusal(of: "https://hooks.example/") == .port)
    }

    @Test("is refused in words that name the rule and neither host nor address")
    func words() {
        let texts = HostileURL.all.map(\.rule.description)
        #expect(Set(texts).count == Set(HostileURL.all.map(\.rule)).count)
        #expect(DestinationRefusal.address(.privateUse).description == "the host's address is not public: private")
    }
}
