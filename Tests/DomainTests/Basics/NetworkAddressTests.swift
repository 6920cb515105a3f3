import Domain
import Testing

@Suite("An address of the Internet protocol")
struct NetworkAddressTests {
    @Test(
        "is read in each spelling that there is",
        arguments: [
            ("192.0.2.1", 0xFFFF_C000_0201), ("0.0.0.0", 0xFFFF_0000_0000), ("::ffff:192.0.2.1", 0xFFFF_C000_0201),
            ("::", 0), ("::1", 1), ("1::", UInt128(1) << 112), ("2001:DB8::A", UInt128(0x2001_0DB8) << 96 | 10),
            ("1:2:3:4:5:6:7:8", 0x0001_0002_0003_0004_0005_0006_0007_0008),
            ("64:ff9b::192.0.2.1", UInt128(0x64_FF9B) << 96 | 0xC000_0201),
        ] as [(String, UInt128)]
    )
    func taken(text: String, number: UInt128) { #expect(NetworkAddress(text)?.number == number) }

    @Test(
        "is nothing else",
        arguments: [
            "", "1.2.3", "1.2.3.4.5", "01.2.3.4", "256.1.1.1", "1.2.3.4 ", "0x1.2.3.4", "+1.2.3.4", ":", ":::",
            "1::2::3",
            "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1:2:3:4::5:6:7:8", "12345::", "g::", "::1%eth0", "[::1]",
            "1.2.3.4::", ":1::", "1:", "::1.2.3", "\u{661}.2.3.4", "+1::",
        ]
    )
    func refused(text: String) { #expect(NetworkAddress(text) == nil) }

    @Test(
        "lies in a range of its version whose bits it begins with",
        arguments: [
            ("10.0.0.0/8", "10.255.0.1", true), ("10.0.0.0/8", "11.0.0.0", false), ("0.0.0.0/0", "1.2.3.4", true),
            ("0.0.0.0/0", "::1", false), ("::/0", "1.2.3.4", false), ("::/0", "2001:db8::1", true),
            ("192.0.2.1", "192.0.2.1", true), ("192.0.2.1/32", "192.0.2.2", false),
            ("10.0.0.0/8", "::ffff:10.0.0.1", true), ("2001:db8::/33", "2001:db8:8000::1", false),
        ]
    )
    func ranges(range: String, address: String, isIn: Bool) throws {
        let range = try #require(NetworkRange(range))
        #expect(range.contains(try #require(NetworkAddress(address))) == isIn)
    }

    @Test(
        "makes no range with further bits, or as many as there are not",
        arguments: ["10.0.0.1/8", "10.0.0.0/33", "10.0.0.0/", "10.0.0.0/08", "::/129", "2001:db8::1/64", "/8", "10/8"]
    )
    func noRange(text: String) { #expect(NetworkRange(text) == nil) }

    @Test("is of one site with the others behind the first 64 bits, in version 6 alone")
    func sites() {
        #expect(NetworkAddress("2001:db8::1")?.site == NetworkAddress("2001:db8::ffff:0:0:2")?.site)
        #expect(NetworkAddress("2001:db8::1")?.site != NetworkAddress("2001:db8:0:1::1")?.site)
        #expect(NetworkAddress("192.0.2.1")?.site != NetworkAddress("192.0.2.2")?.site)
    }

    @Test(
        "is of the loopback interface, or not",
        arguments: [("127.0.0.1", true), ("127.9.9.9", true), ("::1", true), ("::", false), ("128.0.0.1", false)]
    )
    func loopback(text: String, isLoopback: Bool) { #expect(NetworkAddress(text)?.isLoopback == isLoopback) }
}
