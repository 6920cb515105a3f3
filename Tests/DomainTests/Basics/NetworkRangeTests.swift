import Domain
import Testing

@Suite("Ranges of addresses")
struct NetworkRangeTests {
    /// A range as it is typed, and as it is shown.
    private static let ranges: [(String, String)] = [
        ("192.0.2.0/24", "192.0.2.0/24"), ("192.0.2.7", "192.0.2.7/32"), ("0.0.0.0/0", "0.0.0.0/0"),
        ("192.0.2.128/25", "192.0.2.128/25"), ("2001:db8::/32", "2001:db8:0:0:0:0:0:0/32"),
        ("::/0", "0:0:0:0:0:0:0:0/0"), ("::1", "0:0:0:0:0:0:0:1/128"), ("2001:DB8::1/128", "2001:db8:0:0:0:0:0:1/128"),
        ("1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0/128"), ("::ffff:192.0.2.0/120", "192.0.2.0/24"),
        ("64:ff9b::192.0.2.1", "64:ff9b:0:0:0:0:c000:201/128"),
    ]

    @Test("are read, and shown in one way", arguments: ranges)
    func read(text: String, shown: String) throws {
        let range = try #require(NetworkRange(text))
        #expect(range.description == shown)
        #expect(NetworkRange(shown) == range)
    }

    @Test(
        "are refused where they may mean something else",
        arguments: [
            "", "/", "192.0.2.1/24", "192.0.2.0/33", "192.0.2.0/", "192.0.2.0/024", "192.0.2.0/+8", "192.0.2/24",
            "192.0.2.256", "192.0.02.1", " 192.0.2.1", "localhost", "2001:db8::1/32", "2001:db8::/129", "1:2:3",
            "1:2:3:4:5:6:7:8:9", "1::2::3", ":::", "1:", ":1", "12345::", "g::", "1.2.3.4::", "::ffff:0:0/90",
            "fe80::1%eth0", "192.0.2.0/24/8",
        ]
    )
    func refused(text: String) { #expect(NetworkRange(text) == nil) }

    /// A range, an address, and whether the one has the other.
    private static let members: [(String, String, Bool)] = [
        ("192.0.2.0/24", "192.0.2.255", true), ("192.0.2.0/24", "192.0.3.0", false), ("192.0.2.7", "192.0.2.7", true),
        ("192.0.2.7", "192.0.2.8", false), ("0.0.0.0/0", "255.255.255.255", true), ("0.0.0.0/0", "::1", false),
        ("::/0", "127.0.0.1", false), ("::/0", "fe80::1", true), ("192.0.2.0/24", "::ffff:192.0.2.9", true),
        ("::ffff:192.0.2.0/120", "192.0.2.9", true), ("2001:db8::/32", "2001:db8:ffff::1", true),
        ("2001:db8::/32", "2001:db9::1", false), ("fe80::/10", "fe80::1%eth0", true), ("::1", "::2", false),
        ("192.0.2.0/24", "", false), ("192.0.2.0/24", "nobody", false), ("10.0.0.0/8", "10.1.2.3/8", false),
    ]

    @Test("have an address or have it not", arguments: members)
    func member(range: String, address: String, isIn: Bool) throws {
        #expect(try #require(NetworkRange(range)).contains(address) == isIn)
    }

    @Test("lie in others or do not")
    func within() throws {
        let office = try #require(NetworkRange("192.0.2.0/24"))
        let desk = try #require(NetworkRange("192.0.2.7"))
        let everywhere = try #require(NetworkRange("::/0"))
        #expect(desk.lies(in: [everywhere, office]) && office.lies(in: [office]))
        #expect(!office.lies(in: [desk]) && !office.lies(in: [everywhere]) && !desk.lies(in: []))
    }
}
