import AdapterKit
import Domain
import Testing

@Suite("A date of a settlement report")
struct SettlementDateTests {
    @Test(
        "names a moment only where that takes no guess",
        arguments: [
            ("2026-11-16 10:00:00", "UTC", "2026-11-16", "2026-11-16T10:00:00.000Z"),
            ("2026-11-16T10:00:00.123", "gmt", "2026-11-16", "2026-11-16T10:00:00.123Z"),
            ("2026-11-16 10:00", "UTC", "2026-11-16", "2026-11-16T10:00:00.000Z"),
            ("2026-11-16T10:00:00+01:00", nil, "2026-11-16", "2026-11-16T09:00:00.000Z"),
            ("2026-11-16T10:00:00Z", "CET", "2026-11-16", "2026-11-16T10:00:00.000Z"),
            ("2026-11-16 10:00:00", "CET", "2026-11-16", nil), ("2026-11-16 10:00:00", nil, "2026-11-16", nil),
            ("2026-11-16", "UTC", "2026-11-16", nil), ("2026-02-30", "UTC", nil, nil), ("16/11/2026", "UTC", nil, nil),
            ("2026-11-16 25:00:00", "UTC", "2026-11-16", nil), ("2026-11-16x10:00:00", "UTC", "2026-11-16", nil),
            ("", "UTC", nil, nil),
        ] as [(String, String?, String?, String?)]
    )
    func moments(text: String, zone: String?, day: String?, moment: String?) {
        let date = SettlementDate(text, zone: zone)
        #expect(date.day == day)
        #expect(date.timestamp?.description == moment)
        #expect(date.text == text && date.zone == zone)
    }
}
