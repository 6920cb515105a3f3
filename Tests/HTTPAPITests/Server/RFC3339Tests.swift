import Domain
import Testing

@testable import HTTPAPI

@Suite("RFC 3339")
struct RFC3339Tests {
    @Test(
        "reads a moment to the microsecond, whatever its offset",
        arguments: [
            ("1970-01-01T00:00:00Z", 0), ("1970-01-01T00:00:00.000001Z", 1), ("1969-12-31T23:59:59.9Z", -100_000),
            ("1970-01-01T01:00:00+01:00", 0), ("1969-12-31T22:30:00-01:30", 0), ("1970-01-01t00:00:01z", 1_000_000),
            ("2000-02-29T00:00:00Z", 951_782_400_000_000), ("2026-11-21T07:40:09.1234567Z", 1_795_246_809_123_456),
            ("0000-01-01T00:00:00Z", -62_167_219_200_000_000), ("9999-12-31T23:59:59Z", 253_402_300_799_000_000),
        ] as [(String, Int64)]
    )
    func reads(_ text: String, _ microseconds: Int64) {
        #expect(RFC3339.timestamp(text) == Timestamp(microseconds: microseconds))
    }

    @Test(
        "refuses anything else",
        arguments: [
            "", "2026-11-21", "2026-11-21T07:40:09", "2026-11-21 07:40:09Z", "2026-11-21T07:40Z",
            "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z", "2026-02-29T00:00:00Z", "1900-02-29T00:00:00Z",
            "2026-04-31T00:00:00Z", "2026-01-00T00:00:00Z", "2026-01-01T24:00:00Z", "2026-01-01T00:60:00Z",
            "2026-01-01T00:00:60Z", "2026-01-01T00:00:00.Z", "2026-01-01T00:00:00.1234567890Z",
            "2026-01-01T00:00:00+24:00", "2026-01-01T00:00:00+0100", "26-01-01T00:00:00Z", "2026-01-01T00:00:00ZZ",
            "٢٠٢٦-01-01T00:00:00Z", " 2026-01-01T00:00:00Z",
        ]
    )
    func refuses(_ text: String) {
        #expect(RFC3339.timestamp(text) == nil)
    }

    @Test("reads what timestamps write", arguments: [-62_167_219_200_000, 0, 951_868_799_999, 1_800_000_000_123])
    func roundTrip(_ milliseconds: Int64) {
        let moment = Timestamp(microseconds: milliseconds * 1000)
        #expect(RFC3339.timestamp(moment.description) == moment)
    }
}
