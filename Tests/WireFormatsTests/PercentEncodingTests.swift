import Testing
import WireFormats

@Suite("Percent-encoding of bytes")
struct PercentEncodingTests {
    @Test(
        "escapes everything that is not unreserved",
        arguments: [
            ("aZ09-._~", "aZ09-._~"), ("a b+c", "a%20b%2Bc"), ("&=?#/", "%26%3D%3F%23%2F"), ("é€", "%C3%A9%E2%82%AC"),
            ("\n\u{0}", "%0A%00"), ("", ""),
        ]
    )
    func escapes(text: String, encoded: String) {
        #expect(PercentEncoding.encode(text) == encoded)
        #expect(PercentEncoding.decode(encoded.utf8) == Array(text.utf8))
    }

    @Test("takes a plus sign for a space in forms alone")
    func plus() {
        #expect(PercentEncoding.decode("a+b%2B".utf8) == Array("a+b+".utf8))
        #expect(PercentEncoding.decode("a+b%2B".utf8, plusIsSpace: true) == Array("a b+".utf8))
    }

    @Test("is refused if an escape is broken", arguments: ["%", "%4", "%4g", "%zz", "a%", "%é9"])
    func broken(text: String) { #expect(PercentEncoding.decode(text.utf8) == nil) }
}
