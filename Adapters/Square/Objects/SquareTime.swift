import Domain

/// Times as Square writes them (RFC 3339): `2026-11-28T07:33:17.191Z`, with or without a fraction or an offset.
enum SquareTime {
    /// The moment, to the microsecond; nil for anything else than a time after 1970.
    static func timestamp(_ text: String) -> Timestamp? {
        let bytes = Array(text.utf8)
        guard (20...40).contains(bytes.count), let date = numbers(bytes[0..<10], "-", [4, 2, 2]),
            bytes[10] == UInt8(ascii: "T"), let time = numbers(bytes[11..<19], ":", [2, 2, 2]),
            (1970...9999).contains(date[0]), (1...12).contains(date[1]), (1...31).contains(date[2]), time[0] < 24,
            time[1] < 60, time[2] < 61, let (fraction, zone) = fraction(bytes[19...]), let offset = offset(zone)
        else { return nil }
        let seconds = days(date[0], date[1], date[2]) * 86_400 + time[0] * 3600 + time[1] * 60 + time[2] - offset * 60
        return Timestamp(microseconds: seconds * 1_000_000 + fraction)
    }

    /// Numbers of exactly these lengths between separators.
    private static func numbers(_ bytes: ArraySlice<UInt8>, _ separator: Unicode.Scalar, _ lengths: [Int]) -> [Int64]? {
        let parts = bytes.split(separator: UInt8(ascii: separator), omittingEmptySubsequences: false)
        guard parts.map(\.count) == lengths else { return nil }
        let values = parts.compactMap(number)
        return values.count == lengths.count ? values : nil
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int64? {
        digits.allSatisfy { isDigit($0) } ? Int64(String(decoding: digits, as: UTF8.self)) : nil
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    /// Microseconds of a fraction, if there is one, and what follows it.
    private static func fraction(_ bytes: ArraySlice<UInt8>) -> (Int64, ArraySlice<UInt8>)? {
        guard bytes.first == UInt8(ascii: ".") else { return (0, bytes) }
        let digits = bytes.dropFirst().prefix { isDigit($0) }
        guard !digits.isEmpty else { return nil }
        let six = digits.prefix(6) + [UInt8](repeating: UInt8(ascii: "0"), count: max(0, 6 - digits.count))
        return number(six).map { ($0, bytes[digits.endIndex...]) }
    }

    /// Minutes east of Greenwich.
    private static func offset(_ zone: ArraySlice<UInt8>) -> Int64? {
        guard let sign = zone.first else { return nil }
        if sign == UInt8(ascii: "Z") { return zone.count == 1 ? 0 : nil }
        guard sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"), zone.count == 6,
            let parts = numbers(zone.dropFirst(), ":", [2, 2]), parts[0] < 24, parts[1] < 60
        else { return nil }
        return (sign == UInt8(ascii: "-") ? -1 : 1) * (parts[0] * 60 + parts[1])
    }

    /// Days since 1970-01-01 (Hinnant, "chrono-Compatible Low-Level Date Algorithms"); years after 1970.
    private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let yearOfEra = shifted % 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return shifted / 400 * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
}
