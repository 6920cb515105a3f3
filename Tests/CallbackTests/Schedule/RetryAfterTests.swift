import Domain
import Testing

@testable import Callbacks

@Suite("Retry-After")
struct RetryAfterTests {
    /// Sun, 06 Nov 1994 08:49:37 GMT, the example of RFC 9110, 5.6.7.
    private static let example = Timestamp(microseconds: 784_111_777_000_000)
    private static let limit: Int64 = 86_400_000

    @Test(
        "is seconds or a date, a day at most",
        arguments: [
            ("0", 0), ("120", 120_000), (" 7 ", 7_000), ("86400", limit), ("86401", limit),
            ("9223372036854775807", limit), ("99999999999999999999999999", limit),
            ("Sun, 06 Nov 1994 08:50:37 GMT", 60_000), ("Sunday, 06-Nov-94 08:50:37 GMT", 60_000),
            ("Sun Nov  6 08:50:37 1994", 60_000), ("Sun, 06 Nov 1994 08:49:37 GMT", 0),
            ("Sat, 05 Nov 1994 08:49:37 GMT", 0), ("Tue, 15 Nov 1994 08:49:37 GMT", limit),
            ("Fri, 31 Dec 9999 23:59:59 GMT", limit),
        ] as [(String, Int64)]
    )
    func pauses(text: String, milliseconds: Int64) {
        let moment = RetryAfter.moment(text, now: Self.example)
        #expect(moment?.milliseconds(since: Self.example) == milliseconds)
    }

    @Test(
        "is overlooked if it is neither",
        arguments: [
            nil, "", " ", "-1", "+1", "1.5", "1e3", "0x10", "soon", "\u{0661}", "1 2", "Sun, 6 Nov 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 08:49:37 CET", "Sun, 06 Nov 1994 24:00:00 GMT", "Wed, 30 Feb 1994 08:49:37 GMT",
            "Sun, 06 Nvo 1994 08:49:37 GMT", "1994-11-06T08:49:37Z", "Sun, 06 Nov 1994 08:49:37 GMT, 5",
        ] as [String?]
    )
    func others(text: String?) {
        #expect(RetryAfter.moment(text, now: Self.example) == nil)
    }

    @Test(
        "reads the dates that are easily misread",
        arguments: [
            ("Thu, 29 Feb 2024 00:00:00 GMT", 1_709_164_800), ("Mon, 28 Feb 2000 23:59:60 GMT", 951_782_400),
            ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Wednesday, 01-Jan-70 00:00:00 GMT", 0),
        ] as [(String, Int64)]
    )
    func dates(text: String, seconds: Int64) {
        #expect(HTTPDate.timestamp(text, now: Self.example)?.microseconds == seconds * 1_000_000)
    }
}
