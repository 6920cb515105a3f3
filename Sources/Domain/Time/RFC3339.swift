/// Dates and times as RFC 3339 writes them, which is how most PSPs do.
public enum RFC3339 {
    /// How closely a text has to follow RFC 3339.
    public enum Strictness: Hashable, Sendable {
        /// What PSPs write: offsets with or without a colon, as ISO 8601 allows, a fraction of any length, and leap
        /// seconds, which count as the second after them.
        case tolerant
        /// Offsets with a colon, up to nine digits of a fraction, no leap second: what callers may write.
        case strict
    }

    /// The moment that a PSP names; nil if it is none.
    public static func timestamp(_ text: some StringProtocol) -> Timestamp? { timestamp(text, .tolerant) }

    /// The moment that a text names, `2026-11-21T07:40:09Z`, to the microsecond; nil if it is none.
    public static func timestamp(_ text: some StringProtocol, _ strictness: Strictness) -> Timestamp? {
        var rest = Array(text.utf8)[...]
        guard let date = CalendarDay(digits: rest.count, { rest[$0] }) else { return nil }
        rest = rest.dropFirst(10)
        guard skip("T", &rest) || skip("t", &rest), let hour = number(&rest, 2),
            skip(":", &rest), let minute = number(&rest, 2), skip(":", &rest), let second = number(&rest, 2),
            let fraction = fraction(&rest, strictness), let offset = offsetMinutes(&rest, strictness), rest.isEmpty,
            hour < 24, minute < 60, second < (strictness == .strict ? 60 : 61)
        else { return nil }
        let minutes = (Int64(date.number) * 24 + hour) * 60 + minute - offset
        return Timestamp(microseconds: (minutes * 60 + second) * 1_000_000 + fraction)
    }

    private static func skip(_ character: Character, _ rest: inout ArraySlice<UInt8>) -> Bool {
        guard let byte = rest.first, byte == character.asciiValue else { return false }
        rest = rest.dropFirst()
        return true
    }

    private static func number(_ rest: inout ArraySlice<UInt8>, _ digits: Int) -> Int64? {
        let text = rest.prefix(digits)
        guard text.count == digits, text.allSatisfy(isDigit) else { return nil }
        rest = rest.dropFirst(digits)
        return text.reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
    }

    /// Microseconds; 0 if there is no point.
    private static func fraction(_ rest: inout ArraySlice<UInt8>, _ strictness: Strictness) -> Int64? {
        guard skip(".", &rest) else { return 0 }
        let digits = rest.prefix(while: isDigit)
        guard !digits.isEmpty, strictness == .tolerant || digits.count <= 9 else { return nil }
        rest = rest.dropFirst(digits.count)
        return (0..<6).reduce(0) { value, place in
            value * 10 + (place < digits.count ? Int64(digits[digits.startIndex + place] - UInt8(ascii: "0")) : 0)
        }
    }

    /// Minutes east of UTC.
    private static func offsetMinutes(_ rest: inout ArraySlice<UInt8>, _ strictness: Strictness) -> Int64? {
        if skip("Z", &rest) || skip("z", &rest) { return 0 }
        let isEast = skip("+", &rest)
        guard isEast || skip("-", &rest), let hours = number(&rest, 2) else { return nil }
        guard skip(":", &rest) || strictness == .tolerant, let minutes = number(&rest, 2), hours < 24, minutes < 60
        else { return nil }
        return (isEast ? 1 : -1) * (hours * 60 + minutes)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }
}
