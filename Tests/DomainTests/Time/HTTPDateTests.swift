import Domain
import Testing

@Suite("Times as HTTP writes them")
struct HTTPDateTests {
    @Test(
        "are written as RFC 9110 has them, and read back",
        arguments: [
            (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"), (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
            (-1, "Wed, 31 Dec 1969 23:59:59 GMT"), (1_772_366_400, "Sun, 01 Mar 2026 12:00:00 GMT"),
            (1_709_210_096, "Thu, 29 Feb 2024 12:34:56 GMT"),
        ] as [(Int64, String)]
    )
    func written(_ second: Int64, _ text: String) {
        let moment = Timestamp(seconds: second)
        #expect(HTTPDate.text(moment) == text)
        #expect(HTTPDate.text(moment.adding(milliseconds: 999)) == text)
        #expect(HTTPDate.timestamp(text, now: moment) == moment)
    }
}
