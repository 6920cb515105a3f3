/// Moments and durations as Square writes them (RFC 3339).
enum SquareTime {
    /// A moment in UTC: `2026-05-27T08:30:00.250Z`.
    static func text(_ milliseconds: Int64) -> String {
        "\(Moment.text(milliseconds)).\(String(1000 + milliseconds % 1000).dropFirst())Z"
    }

    /// The milliseconds since 1970 of a moment; nil if it is none.
    static func milliseconds(_ text: String) -> Int64? {
        let bytes = Array(text.utf8)
        guard bytes.count >= 20, [4, 7].allSatisfy({ bytes[$0] == UInt8(ascii: "-") }), bytes[10] == UInt8(ascii: "T"),
            [13, 16].allSatisfy({ bytes[$0] == UInt8(ascii: ":") }),
            let year = number(bytes[0..<4], 1970...9999), let month = number(bytes[5..<7], 1...12),
            let day = number(bytes[8..<10], 1...31), let hour = number(bytes[11..<13], 0...23),
            let minute = number(bytes[14..<16], 0...59), let second = number(bytes[17..<19], 0...60)
        else { return nil }
        var rest = bytes[19...]
        var fraction: Int64 = 0
        if rest.first == UInt8(ascii: ".") {
            let digits = rest.dropFirst().prefix { (0x30...0x39).contains($0) }
            guard !digits.isEmpty, digits.count <= 9 else { return nil }
            fraction = number(Array((Array(digits) + [0x30, 0x30]).prefix(3))[...], 0...999) ?? 0
            rest = rest.dropFirst(1 + digits.count)
        }
        guard let offset = zone(rest) else { return nil }
        let minutes = (days(year, month, day) * 24 + hour) * 60 + minute - offset
        return (minutes * 60 + second) * 1000 + fraction
    }

    /// The milliseconds of a duration in weeks, days, hours, minutes and seconds: `P2DT12H30M15S`; nil if it is none.
    static func milliseconds(ofDuration text: String) -> Int64? {
        guard text.hasPrefix("P"), text.utf8.count <= 30 else { return nil }
        var units: [(letter: Character, seconds: Int64)] = [("W", 604_800), ("D", 86_400)]
        var seconds: Int64 = 0
        var digits = ""
        var hasPart = false
        var isTime = false
        for character in text.dropFirst() {
            if character == "T" {
                guard !isTime, digits.isEmpty else { return nil }
                isTime = true
                hasPart = false
                units = [("H", 3600), ("M", 60), ("S", 1)]
            } else if character.isASCII, character.isNumber {
                digits.append(character)
            } else {
                guard let index = units.firstIndex(where: { $0.letter == character }), digits.utf8.count <= 9,
                    let count = Int64(digits)
                else { return nil }
                seconds += count * units[index].seconds
                units.removeFirst(index + 1)
                digits = ""
                hasPart = true
            }
        }
        return hasPart && digits.isEmpty ? seconds * 1000 : nil
    }

    /// The minutes that a zone is ahead of UTC.
    private static func zone(_ bytes: ArraySlice<UInt8>) -> Int64? {
        let bytes = Array(bytes)
        if bytes == [UInt8(ascii: "Z")] { return 0 }
        guard bytes.count == 6, bytes[3] == UInt8(ascii: ":"), let hours = number(bytes[1..<3], 0...23),
            let minutes = number(bytes[4..<6], 0...59)
        else { return nil }
        switch bytes[0] {
        case UInt8(ascii: "+"): return hours * 60 + minutes
        case UInt8(ascii: "-"): return -(hours * 60 + minutes)
        default: return nil
        }
    }

    /// The days from 1970-01-01 to a date, in the Gregorian calendar.
    ///
    /// Years are counted from March, so that the leap day is the last (Hinnant, "chrono-Compatible Low-Level Date
    /// Algorithms", `days_from_civil`).
    private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let era = shifted / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private static func number(_ digits: ArraySlice<UInt8>, _ range: ClosedRange<Int64>) -> Int64? {
        guard digits.allSatisfy({ (0x30...0x39).contains($0) }),
            let number = Int64(String(decoding: digits, as: UTF8.self)), range.contains(number)
        else { return nil }
        return number
    }
}
