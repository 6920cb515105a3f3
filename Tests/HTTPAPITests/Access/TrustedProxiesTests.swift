import Domain
import HTTPTypes
import Testing

@testable import HTTPAPI

@Suite("Who asks behind a proxy")
struct TrustedProxiesTests {
    private static let name = HTTPField.Name("X-Forwarded-For")
    private static let ranges = ["10.0.0.0/8", "2001:db8:1::/48"].compactMap { NetworkRange($0) }

    @Test(
        "is the last address that is no trusted proxy's, and nobody's word counts before it",
        arguments: [
            ("192.0.2.1", "198.51.100.7", "192.0.2.1"), ("10.0.0.1", "198.51.100.7", "198.51.100.7"),
            ("10.0.0.1", "203.0.113.9, 198.51.100.7", "198.51.100.7"),
            ("10.0.0.1", "203.0.113.9, 198.51.100.7 , 10.2.3.4", "198.51.100.7"),
            ("10.0.0.1", "10.9.9.9,10.2.3.4", "10.9.9.9"), ("10.0.0.1", "", "10.0.0.1"),
            ("10.0.0.1", "198.51.100.7, nonsense", nil), ("10.0.0.1", "198.51.100.7, nonsense, 10.0.0.2", nil),
            ("10.0.0.1", "\u{E9}, 198.51.100.7", "198.51.100.7"), ("10.0.0.1", "198.51.100.7, \u{E9}", nil),
            ("10.0.0.1", String(repeating: "x", count: 9000) + ", 198.51.100.7", "198.51.100.7"),
            ("10.0.0.1", "198.51.100.7, , ", "198.51.100.7"),
            ("10.0.0.1", "198.51.100.7:4711", "198.51.100.7"), ("10.0.0.1", "198.51.100.7:x", nil),
            ("10.0.0.1", "[2001:db8:2::1]:4711", "2001:db8:2::1"), ("10.0.0.1", "2001:db8:2::1", "2001:db8:2::1"),
            ("2001:db8:1::5", "198.51.100.7", "198.51.100.7"), ("::ffff:10.0.0.1", "198.51.100.7", "198.51.100.7"),
        ] as [(String, String, String?)]
    )
    func last(peer: String, value: String, client: String?) throws {
        let name = try #require(Self.name)
        let headers: HTTPFields = [name: value]
        #expect(TrustedProxies(Self.ranges).client(of: headers, from: peer) == client)
        #expect(TrustedProxies.none.client(of: headers, from: peer) == peer)
    }

    @Test(
        "stands in Forwarded where that is the field",
        arguments: [
            ("for=198.51.100.7", "198.51.100.7"), ("for=203.0.113.9, For=198.51.100.7;proto=https", "198.51.100.7"),
            ("proto=https;for=\"[2001:db8:2::1]:4711\"", "2001:db8:2::1"), ("for=unknown", nil),
            ("for=198.51.100.7;for=203.0.113.9", nil), ("by=198.51.100.7", nil),
            ("for=\"203.0.113.9, for=198.51.100.7", "198.51.100.7"), ("for=_hidden", nil),
        ] as [(String, String?)]
    )
    func forwarded(value: String, client: String?) throws {
        let proxies = TrustedProxies(Self.ranges, field: .forwarded)
        var headers = HTTPFields()
        headers[try #require(HTTPField.Name("Forwarded"))] = value
        headers[try #require(Self.name)] = "203.0.113.200"
        #expect(proxies.client(of: headers, from: "10.0.0.1") == client)
    }

    @Test("is read over several lines of a field as over one")
    func lines() throws {
        let name = try #require(Self.name)
        var headers = HTTPFields()
        headers.append(HTTPField(name: name, value: "203.0.113.9"))
        headers.append(HTTPField(name: name, value: "198.51.100.7"))
        #expect(TrustedProxies(Self.ranges).client(of: headers, from: "10.0.0.1") == "198.51.100.7")
    }
}
