import Domain
import Testing

@Suite("A time as RFC 3339 writes it")
struct RFC3339Tests {
    @Test(
        "is read to the microsecond, whatever its offset",
        arguments: [
            ("1970-01-01T00:00:00Z", 0), ("1970-01-01T00:00:00.000001Z", 1), ("1969-12-31T23:59:59.9Z", -100_000),
            ("1969-12-31T23:59:59.999999Z", -1), ("1970-01-01T01:00:00+01:00", 0), ("1969-12-31T22:30:00-01:30", 0),
            ("1970-01-01t00:00:01z", 1_000_000), ("2026-11-21t08:33:17.5z", 1_795_249_997_500_000),
            ("2026-11-21T09:33:17+01:00", 1_795_249_997_000_000), ("2026-11-20T22:03:17-10:30", 1_795_249_997_000_000),
            ("2026-11-21T07:40:09.1234567Z", 1_795_246_809_123_456),
            ("2026-11-21T08:33:17.1234567Z", 1_795_249_997_123_456),
            ("2000-02-29T00:00:00Z", 951_782_400_000_000), ("2000-02-29T12:00:00Z", 951_825_600_000_000),
            ("2024-02-29T00:00:00Z", 1_709_164_800_000_000), ("1900-03-01T00:00:00Z", -2_203_891_200_000_000),
            ("0000-01-01T00:00:00Z", -62_167_219_200_000_000), ("9999-12-31T23:59:59Z", 253_402_300_799_000_000),
        ] as [(String, Int64)]
    )
    func reads(text: String, microseconds: Int64) {
        #expect(RFC3339.timestamp(text) == Timestamp(microseconds: microseconds))
        #expect(RFC3339.timestamp(text, .strict) == Timestamp(microseconds: microseconds))
    }

    @Test(
        "has offsets without a colon, leap seconds and long fractions where PSPs write them",
        arguments: [
            ("2026-11-21T09:33:17+0100", 1_795_249_997_000_000), ("2016-12-31T23:59:60Z", 1_483_228_800_000_000),
            ("1970-01-01T00:00:00.1234567890Z", 123_456),
        ] as [(String, Int64)]
    )
    func tolerant(text: String, microseconds: Int64) {
        #expect(RFC3339.timestamp(text) == Timestamp(microseconds: microseconds))
        #expect(RFC3339.timestamp(text, .strict) == nil)
    }

    @Test(
        "is nothing else",
        arguments: [
            "", "2026-11-21", "2026-11-21T07:40:09", "2026-11-21T09:33:17", "2026-11-21 07:40:09Z", "2026-11-21T07:40Z",
            "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z", "2026-02-29T00:00:00Z", "1900-02-29T00:00:00Z",
            "2026-04-31T00:00:00Z", "2026-11-31T00:00:00Z", "2026-01-00T00:00:00Z", "2026-01-01T24:00:00Z",
            "2026-01-01T00:60:00Z", "2026-11-21T09:33:61Z", "2026-01-01T00:00:00.Z", "2026-01-01T00:00:00+24:00",
            "2026-11-21T09:33:17+1:00", "2026-11-21T09:33:17+01", "26-01-01T00:00:00Z", "2026-01-01T00:00:00ZZ",
            "2026-11-21T09:33:17Zx", "٢٠٢٦-01-01T00:00:00Z", "2026-1１-21T09:33:17Z", "-026-11-21T09:33:17Z",
            " 2026-01-01T00:00:00Z",
        ]
    )
    func refuses(text: String) {
        #expect(RFC3339.timestamp(text) == nil)
        #expect(RFC3339.timestamp(text, .strict) == nil)
    }

    @Test("is what a timestamp's description says")
    func roundTrip() {
        for microseconds in stride(
            from: Int64(-62_167_219_200_000_000),
            to: 253_402_300_799_000_000,
            by: 987_654_321_987_000
        ) {
            let moment = Timestamp(microseconds: microseconds / 1000 * 1000)
            #expect(RFC3339.timestamp(moment.description) == moment)
            #expect(RFC3339.timestamp(moment.description, .strict) == moment)
        }
    }
}
