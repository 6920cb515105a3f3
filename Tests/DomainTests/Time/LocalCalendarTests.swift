import Domain
import Testing

@Suite("Local calendars")
struct LocalCalendarTests {
    /// A file of the tz database that has nothing but a rule (RFC 9636).
    private static func file(_ rule: String, offset: Int32) -> [UInt8] {
        func number(_ value: Int32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) } }
        let header =
            Array("TZif2".utf8) + [UInt8](repeating: 0, count: 15) + [0, 0, 0, 0, 1, 4].flatMap { number($0) }
        let body = number(offset) + [0, 0] + Array("STD".utf8) + [0]
        return header + body + header + body + Array("\n\(rule)\n".utf8)
    }

    private static func calendar(_ rule: String, hours: Int32) throws -> LocalCalendar {
        try #require(TimeZoneFile.calendar(file(rule, offset: hours * 3600), zone: "Test/Zone"))
    }

    private static func start(_ day: String, _ calendar: LocalCalendar) throws -> String {
        calendar.start(of: try #require(CalendarDay(day))).wholeSeconds
    }

    @Test("have days of 23 and of 25 hours where clocks are changed")
    func berlin() throws {
        let berlin = try Self.calendar("CET-1CEST,M3.5.0,M10.5.0/3", hours: 1)
        #expect(try Self.start("2027-03-28", berlin) == "2027-03-27T23:00:00Z")
        #expect(try Self.start("2027-03-29", berlin) == "2027-03-28T22:00:00Z")
        #expect(try Self.start("2027-10-31", berlin) == "2027-10-30T22:00:00Z")
        #expect(try Self.start("2027-11-01", berlin) == "2027-10-31T23:00:00Z")
    }

    @Test("begin a day when clocks are set forward where midnight does not exist, and at the second of two")
    func midnight() throws {
        let beirut = try Self.calendar("EET-2EEST,M3.5.0/0,M10.5.0/0", hours: 2)
        #expect(try Self.start("2027-03-28", beirut) == "2027-03-27T22:00:00Z")
        #expect(try Self.start("2027-03-29", beirut) == "2027-03-28T21:00:00Z")
        #expect(try Self.start("2027-10-31", beirut) == "2027-10-30T22:00:00Z")
        // From 01:00 back to 00:00: midnight comes twice, and the day begins with the first.
        let havana = try Self.calendar("CST5CDT,M3.2.0/0,M11.1.0/1", hours: -5)
        #expect(try Self.start("2027-11-07", havana) == "2027-11-07T04:00:00Z")
        #expect(try Self.start("2027-11-08", havana) == "2027-11-08T05:00:00Z")
    }

    @Test(
        "follow the rules that there are",
        arguments: [
            ("EST5EDT,M3.2.0,M11.1.0", "2027-03-14T06:59:59Z", "2027-03-14T01:59:59-05:00"),
            ("EST5EDT,M3.2.0,M11.1.0", "2027-03-14T07:00:00Z", "2027-03-14T03:00:00-04:00"),
            ("<+0330>-3:30", "2027-06-01T00:00:00Z", "2027-06-01T03:30:00+03:30"),
            ("IST-1GMT0,M10.5.0,M3.5.0/1", "2027-07-01T00:00:00Z", "2027-07-01T01:00:00+01:00"),
            ("IST-1GMT0,M10.5.0,M3.5.0/1", "2027-01-15T00:00:00Z", "2027-01-15T00:00:00+00:00"),
            ("AEST-10AEDT,M10.1.0,M4.1.0/3", "2027-12-31T23:00:00Z", "2028-01-01T10:00:00+11:00"),
            ("XXX-1YYY,J60,J300", "2028-03-01T02:00:00Z", "2028-03-01T04:00:00+02:00"),
        ]
    )
    func rules(rule: String, moment: String, local: String) throws {
        let calendar = try Self.calendar(rule, hours: 0)
        #expect(calendar.text(of: try #require(RFC3339.timestamp(moment))) == local)
    }

    @Test("have months that begin and end with days of their own")
    func months() throws {
        let berlin = try Self.calendar("CET-1CEST,M3.5.0,M10.5.0/3", hours: 1)
        let month = berlin.month(of: try #require(RFC3339.timestamp("2026-11-30T23:30:00Z")))
        #expect(month.lowerBound.wholeSeconds == "2026-11-30T23:00:00Z")
        #expect(month.upperBound.wholeSeconds == "2026-12-31T23:00:00Z")
        let utc = LocalCalendar.utc.month(of: try #require(RFC3339.timestamp("2024-02-29T12:00:00Z")))
        #expect(utc.lowerBound.wholeSeconds == "2024-02-01T00:00:00Z")
        #expect(utc.upperBound.wholeSeconds == "2024-03-01T00:00:00Z")
    }

    @Test("are not made of files that are cut or of something else")
    func broken() {
        let whole = Self.file("CET-1CEST,M3.5.0,M10.5.0/3", offset: 3600)
        for length in 0..<108 { #expect(TimeZoneFile.calendar(Array(whole.prefix(length)), zone: "X") == nil) }
        #expect(TimeZoneFile.calendar(Array("GIF89a".utf8), zone: "X") == nil)
    }

    @Test("are named as the tz database names them")
    func names() {
        for name in ["Europe/Berlin", "America/Argentina/Buenos_Aires", "Etc/GMT+5", "UTC", "America/Port-au-Prince"] {
            #expect(TimeZoneName.isValid(name), "\(name)")
        }
        for name in ["", "/etc/passwd", "../x", "Europe/../../etc", "Europe//Berlin", "Europe/Berlin ", "5/6", "Ü"] {
            #expect(!TimeZoneName.isValid(name), "\(name)")
        }
    }
}
