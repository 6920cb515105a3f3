import Testing
import WireFormats

@testable import HTTPAPI

@Suite("Percent-encoding")
struct PercentEncodingTests {
    @Test(
        "is undone once",
        arguments: [
            ("", ""), ("plain", "plain"), ("a%20b", "a b"), ("%C3%A9", "é"), ("%c3%a9", "é"), ("%2525", "%25"),
            ("a+b", "a+b"), ("%2F%2f", "//"),
        ]
    )
    func decoded(_ text: String, _ meant: String) {
        #expect(PercentEncoding.decoded(text) == meant)
    }

    @Test("is refused if it is broken", arguments: ["%", "%4", "%4g", "%zz", "a%", "%ff", "%c3", "%00", "%é9"])
    func broken(_ text: String) {
        #expect(PercentEncoding.decoded(text) == nil)
    }
}
