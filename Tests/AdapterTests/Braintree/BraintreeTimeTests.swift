import BraintreeAdapter
import Domain
import Testing

@Suite("Braintree's times")
struct BraintreeTimeTests {
    @Test(
        "are read to the microsecond",
        arguments: [
            ("1970-01-01T00:00:00Z", 0), ("2026-11-21T08:33:17Z", 1_795_249_997_000_000),
            ("2026-11-28T10:33:20.000000Z", 1_795_862_000_000_000), ("2024-02-29T23:59:59.5Z", 1_709_251_199_500_000),
            ("1969-12-31T23:59:59.999999999Z", -1), ("2000-03-01T00:00:00Z", 951_868_800_000_000),
        ]
    )
    func moments(text: String, microseconds: Int64) {
        #expect(Timestamp(rfc3339: text) == Timestamp(microseconds: microseconds))
    }

    @Test(
        "are read only if they are UTC and exist",
        arguments: [
            "", "now", "2026-11-21", "2026-11-21T08:33:17", "2026-11-21T08:33:17+01:00", "2026-02-29T08:33:17Z",
            "2026-04-31T08:33:17Z", "2026-00-10T08:33:17Z", "2026-11-21T24:00:00Z", "2026-11-21T08:60:00Z",
            "2026-11-21T08:33:60Z", "2026-11-21T08:33:17.Z", "2026-11-21T08:33:17.1234567890Z", "2026-11-21 08:33:17Z",
            "2026-1a-21T08:33:17Z", "2026-11-21T08.33:17Z", "１026-11-21T08:33:17Z",
        ]
    )
    func refused(text: String) { #expect(Timestamp(rfc3339: text) == nil) }

    @Test(
        "of a day are its beginning",
        arguments: [
            ("1970-01-02", 86_400_000_000), ("2026-11-30", 1_795_996_800_000_000), ("2026-13-01", nil),
            ("2026-1-01", nil),
            ("", nil), ("2026-11-300", nil),
        ] as [(String, Int64?)]
    )
    func days(text: String, microseconds: Int64?) {
        #expect(Timestamp(date: text) == microseconds.map { Timestamp(microseconds: $0) })
    }
}
