import AdapterKit
import Domain
import Testing

@Suite("A moment in RFC 3339")
struct RFC3339Tests {
    @Test(
        "is read in any zone and to the microsecond",
        arguments: [
            ("1970-01-01T00:00:00Z", 0), ("2026-11-21T08:33:17Z", 1_795_249_997_000_000),
            ("2026-11-21T08:33:17.1234567Z", 1_795_249_997_123_456), ("2026-11-21t08:33:17.5z", 1_795_249_997_500_000),
            ("2026-11-21T09:33:17+01:00", 1_795_249_997_000_000), ("2026-11-20T22:03:17-10:30", 1_795_249_997_000_000),
            ("2026-11-21T08:33:17.000+00:00", 1_795_249_997_000_000), ("2000-02-29T00:00:00Z", 951_782_400_000_000),
            ("2024-02-29T23:59:59Z", 1_709_251_199_000_000), ("2100-03-01T00:00:00Z", 4_107_542_400_000_000),
            ("9999-12-31T23:59:59.999999Z", 253_402_300_799_999_999),
        ] as [(String, Int64)]
    )
    func reads(text: String, microseconds: Int64) {
        #expect(RFC3339.timestamp(text) == Timestamp(microseconds: microseconds))
    }

    @Test("is what a timestamp's description writes")
    func roundTrip() {
        for day in stride(from: Int64(0), to: 2_932_896, by: 997) {
            let moment = Timestamp(microseconds: day * 86_400_000_000 + 45_296_789_000)
            #expect(RFC3339.timestamp(moment.description) == moment)
        }
    }

    @Test(
        "is none if anything about it is wrong",
        arguments: [
            "", "2026-11-21", "2026-11-21T08:33:17", "2026-11-21T08:33Z", "2026-11-21 08:33:17Z",
            "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z", "2026-02-29T00:00:00Z", "2100-02-29T00:00:00Z",
            "2026-04-31T00:00:00Z", "2026-11-00T00:00:00Z", "2026-11-21T24:00:00Z", "2026-11-21T08:60:00Z",
            "2026-11-21T08:33:60Z", "2026-11-21T08:33:17.Z", "2026-11-21T08:33:17.1", "2026-11-21T08:33:17Zx",
            "2026-11-21T08:33:17+0100", "2026-11-21T08:33:17+24:00", "2026-11-21T08:33:17+01:60",
            "1969-12-31T23:59:59Z",
            "1970-01-01T00:00:00+01:00", "2026/11/21T08:33:17Z", "२०२६-11-21T08:33:17Z", "+026-11-21T08:33:17Z",
        ]
    )
    func refuses(text: String) {
        #expect(RFC3339.timestamp(text) == nil)
    }
}
