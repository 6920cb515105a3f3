import Tracing

/// Bytes in base 64 (RFC 4648 section 4), padded.
///
/// Written apart from what adapters use, so that the two check each other.
enum Base64 {
    /// The bytes of a text; nil unless it is whole groups of four digits with padding only at the end.
    static func decode(_ text: some StringProtocol) -> [UInt8]? {
        var bits = 0
        var count = 0
        var bytes: [UInt8] = []
        for digit in text.utf8.prefix(while: { $0 != UInt8(ascii: "=") }) {
            guard let value = digits.firstIndex(of: digit) else { return nil }
            bits = (bits << 6 | value) & 0xFFFF
            count += 6
            guard count >= 8 else { continue }
            count -= 8
            bytes.append(UInt8(bits >> count & 255))
        }
        let padding = text.utf8.drop { $0 != UInt8(ascii: "=") }
        guard text.utf8.count.isMultiple(of: 4), padding.count <= 2,
            padding.allSatisfy({ $0 == UInt8(ascii: "=") })
        else { return nil }
        return bytes
    }

    /// The text of bytes.
    static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            text += [18, 12, 6, 0].prefix(group.count + 1).map { digits[bits >> $0 & 63] }
            text += Array(repeating: UInt8(ascii: "="), count: 3 - group.count)
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
}

/// Bytes as pairs of hexadecimal digits.
enum Hexadecimal {
    /// The bytes of a text; nil unless it is pairs of digits, in either case.
    static func decode(_ text: some StringProtocol) -> [UInt8]? {
        let values = text.utf8.map { Character(Unicode.Scalar($0)).hexDigitValue }
        guard values.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: values.count, by: 2) {
            guard let high = values[index], let low = values[index + 1] else { return nil }
            bytes.append(UInt8(high << 4 | low))
        }
        return bytes
    }

    /// The bytes as lower-case digits.
    static func encode(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}

/// A segment of a path, or a part of a query, as RFC 3986 writes it.
enum PercentEncoding {
    /// The segment with everything escaped but what RFC 3986 calls unreserved.
    static func encode(_ text: String) -> String {
        text.utf8.map { byte in
            let scalar = Unicode.Scalar(byte)
            let isPlain = scalar.properties.isAlphabetic && scalar.isASCII || ("0"..."9").contains(scalar)
            guard !isPlain, !"-._~".unicodeScalars.contains(scalar) else { return String(Character(scalar)) }
            return "%" + Hexadecimal.encode([byte]).uppercased()
        }.joined()
    }

    /// The text of a segment; nil if an escape is broken or the text is not UTF-8.
    static func decode(_ segment: some StringProtocol) -> String? { decode(segment.utf8) }

    /// The text of a segment's bytes; nil if an escape is broken or the text is not UTF-8.
    static func decode(_ segment: some Sequence<UInt8>) -> String? {
        var bytes: [UInt8] = []
        var rest = Array(segment)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let digits = String(decoding: rest.prefix(2), as: UTF8.self)
            guard rest.count >= 2, let escaped = Hexadecimal.decode(digits) else { return nil }
            bytes += escaped
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}

/// Moments as PSPs write them.
package enum Moment {
    /// A date and time of day in UTC without its zone (RFC 3339), to the second: `2026-05-27T08:30:00`.
    ///
    /// - Parameter milliseconds: since 1970, not negative.
    /// - Returns: the text.
    package static func text(_ milliseconds: Int64) -> String {
        let seconds = milliseconds / 1000
        let (year, month, day) = date(seconds / 86_400)
        let time = seconds % 86_400
        let parts = [time / 3600, time / 60 % 60, time % 60].map { padded($0, 2) }
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))T" + parts.joined(separator: ":")
    }

    /// The date so many days after 1970-01-01, in the Gregorian calendar.
    ///
    /// Years are counted from March, so that the leap day is the last (Hinnant, "chrono-Compatible Low-Level Date
    /// Algorithms", `civil_from_days`).
    private static func date(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = days + 719_468
        let era = shifted / 146_097
        let dayOfEra = shifted % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * marchMonth + 2) / 5 + 1)
    }

    /// The days from 1970-01-01 to a date, in the Gregorian calendar (Hinnant, `days_from_civil`).
    static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let yearOfEra = shifted % 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return shifted / 400 * 146_097 + dayOfEra - 719_468
    }

    private static func padded(_ number: Int64, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}

/// The clock that simulators run by unless they are given another.
package enum SimulatorClock {
    /// The system's time, in milliseconds since 1970.
    package static let system: @Sendable () -> Int64 = {
        Int64(DefaultTracerClock.now.nanosecondsSinceEpoch / 1_000_000)
    }
}
