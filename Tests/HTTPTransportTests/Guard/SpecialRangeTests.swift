import Testing

@testable import HTTPTransport

@Suite("Special ranges of addresses")
struct SpecialRangeTests {
    /// The first and the last address of each block.
    private static let edges: [(String, String, SpecialRange)] = [
        ("0.0.0.0", "0.255.255.255", .unspecified), ("10.0.0.0", "10.255.255.255", .privateUse),
        ("100.64.0.0", "100.127.255.255", .carrierGradeNAT), ("127.0.0.0", "127.255.255.255", .loopback),
        ("168.63.129.16", "168.63.129.16", .cloudPlatform), ("169.254.0.0", "169.254.255.255", .linkLocal),
        ("172.16.0.0", "172.31.255.255", .privateUse), ("192.0.0.0", "192.0.0.255", .reserved),
        ("192.0.2.0", "192.0.2.255", .documentation), ("192.31.196.0", "192.31.196.255", .reserved),
        ("192.52.193.0", "192.52.193.255", .reserved), ("192.88.99.0", "192.88.99.255", .sixToFour),
        ("192.168.0.0", "192.168.255.255", .privateUse), ("192.175.48.0", "192.175.48.255", .reserved),
        ("198.18.0.0", "198.19.255.255", .benchmark), ("198.51.100.0", "198.51.100.255", .documentation),
        ("203.0.113.0", "203.0.113.255", .documentation), ("224.0.0.0", "239.255.255.255", .multicast),
        ("240.0.0.0", "255.255.255.254", .reserved), ("255.255.255.255", "255.255.255.255", .broadcast),
        ("::", "::", .unspecified), ("::1", "::1", .loopback), ("::2", "::ffff:ffff", .compatible),
        ("::ffff:0:0", "::ffff:ffff:ffff", .mapped), ("::ffff:0:0:0", "::ffff:0:ffff:ffff", .translated),
        ("64:ff9b::", "64:ff9b::ffff:ffff", .translated),
        ("64:ff9b:1::", "64:ff9b:1:ffff:ffff:ffff:ffff:ffff", .translated),
        ("100::", "100::ffff:ffff:ffff:ffff", .discard), ("100:0:0:1::", "100:0:0:1:ffff:ffff:ffff:ffff", .discard),
        ("2001::", "2001:0:ffff:ffff:ffff:ffff:ffff:ffff", .teredo),
        ("2001:1::", "2001:1:ffff:ffff:ffff:ffff:ffff:ffff", .reserved),
        ("2001:2::", "2001:2:0:ffff:ffff:ffff:ffff:ffff", .benchmark),
        ("2001:3::", "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff", .reserved),
        ("2001:db8::", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff", .documentation),
        ("2002::", "2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff", .sixToFour),
        ("2620:4f:8000::", "2620:4f:8000:ffff:ffff:ffff:ffff:ffff", .reserved),
        ("2d00::", "2fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", .reserved),
        ("3000::", "3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff", .reserved),
        ("3fff::", "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff", .documentation),
        ("4000::", "fbff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", .reserved),
        ("fc00::", "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", .uniqueLocal),
        ("fe80::", "febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff", .linkLocal),
        ("fec0::", "feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", .siteLocal),
        ("ff00::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", .multicast),
    ]

    /// Addresses that hosts have, many of them beside a special block.
    private static let ordinary = [
        "1.0.0.0", "8.8.8.8", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255",
        "128.0.0.0", "168.63.129.15", "168.63.129.17", "169.253.255.255", "169.255.0.0", "172.15.255.255",
        "172.32.0.0", "191.255.255.255", "192.0.1.0", "192.0.3.0", "192.167.255.255", "192.169.0.0",
        "198.17.255.255", "198.20.0.0", "203.0.112.255", "203.0.114.0", "223.255.255.255", "2000::",
        "2001:200::", "2001:4860:4860::8888", "2001:db7::", "2001:db9::", "2003::", "2606:4700::1111",
        "2620:4f:7fff::", "2620:4f:8001::", "2a00:1450::", "2c0f:ffff::",
    ]

    @Test("begin and end where their registry says", arguments: edges)
    func edge(_ first: String, _ last: String, _ range: SpecialRange) throws {
        for text in [first, last] {
            let address = try #require(IPAddress(text), "\(text)")
            #expect(SpecialRange.containing(address) == range, "\(text)")
        }
    }

    @Test("leave out the addresses that hosts have", arguments: ordinary)
    func publicAddress(_ text: String) throws {
        let address = try #require(IPAddress(text))
        #expect(SpecialRange.containing(address) == nil)
    }

    @Test("are all in use")
    func allInUse() { #expect(Set(Self.edges.map(\.2)) == Set(SpecialRange.allCases)) }

    @Test(
        "are asked only for addresses in their one spelling",
        arguments: [
            "", "1", "127.1", "0177.0.0.1", "127.0.0.1.", " 1.1.1.1", "1.1.1.1\u{0}", "[::1]", "fe80::1%1", "::g",
        ]
    )
    func oddSpelling(_ text: String) { #expect(IPAddress(text) == nil) }
}
