/// Dates and times of day as XML writes them.
package enum AuthorizeNetDate {
    /// Milliseconds since 1970 of an ; one without a zone is in UTC.
    ///
    /// ne is in UTC. Nil if it is none.
    package static func milliseconds(_ text: String) -> Int64? {
        let bytes = Array(text.utf8)
        guard bytes.count >= 19, bytes[4] == dash, bytes[7] == dash, bytes[10] == UInt8(ascii: "T"),
            bytes[13] == colon, bytes[16] == colon,
            let year = number(bytes[0..<4]), let month = number(bytes[5..<7]), 1...12 ~= month,
            let day = number(bytes[8..<10]), 1...31 ~= day, let hour = number(bytes[11..<13]), 0...23 ~= hour,
            let minute = number(bytes[14..<16]), 0...59 ~= minute,
            let second = number(bytes[17..<19]), 0...59 ~= second
        else { return nil }
        var rest = bytes[19...]
        var milliseconds: Int64 = 0
        if rest.first == UInt8(ascii: ".") {
            let digits = rest.dropFirst().prefix { (0x30...0x39).contains($0) }
            guard let fraction = number(Array(digits.prefix(3))) else { return nil }
            milliseconds = fraction * [1, 100, 10, 1][min(digits.count, 3)]
            rest = rest.dropFirst(1 + digits.count)
        }
        guard let offset = offsetMinutes(Array(rest)) else { return nil }
        let minutes = (days(year, month, day) * 24 + hour) * 60 + minute - offset
        return (minutes * 60 + second) * 1000 + milliseconds
    }

    /// A moment with its milliseconds, in UTC: `2026-05-27T08:30:00.250Z`.
    package static func text(_ milliseconds: Int64) -> String { local(milliseconds) + "Z" }

    /// A moment with its milliseconds and without a zone.
    package static func local(_ milliseconds: Int64) -> String {
        let rest = String(1000 + milliseconds % 1000).dropFirst()
        return "\(Moment.text(milliseconds)).\(rest)"
    }

    private static let dash = UInt8(ascii: "-")
    private static let colon = UInt8(ascii: ":")

    /// Minutes east of UTC: of nothing, of `Z`, or of `+hh:mm`.
    private static func offsetMinutes(_ zone: [UInt8]) -> Int64? {
        if zone.isEmpty || zone == [UInt8(ascii: "Z")] { return 0 }
        guard zone.count == 6, zone[3] == colon, zone[0] == dash || zone[0] == UInt8(ascii: "+"),
            let hours = number(zone[1..<3]), let minutes = number(zone[4..<6])
        else { return nil }
        return (hours * 60 + minutes) * (zone[0] == dash ? -1 : 1)
    }

    private static func number(_ digits: some Collection<UInt8>) -> Int64? {
        guard digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int64(String(decoding: digits, as: UTF8.self))
    }

    /// Days since 1970-01-01 in the Gregorian calendar.
    ///
    /// Years are counted from March (Hinnant, "chrono-Compatible Low-Level Date Algorithms", `days_from_civil`).
    private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let shifted = year - (month <= 2 ? 1 : 0)
        let yearOfEra = shifted % 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return shifted / 400 * 146_097 + dayOfEra - 719_468
    }
}
