public import Domain

/// Dates and times as RFC 3339 writes them, which is how most PSPs do.
public enum RFC3339 {
    /// The moment that a text names; nil if it is none.
    ///
    /// Takes `2026-11-21T07:40:09Z`, fractions of a second (what is below a microsecond is dropped), and offsets with
    /// or without a colon, as ISO 8601 allows. A leap second counts as the second after it.
    public static func timestamp(_ text: some StringProtocol) -> Timestamp? {
        var rest = Array(text.utf8)[...]
        guard let year = number(&rest, 4), skip("-", &rest), let month = number(&rest, 2), skip("-", &rest),
            let day = number(&rest, 2), skip("T", &rest) || skip("t", &rest), let hour = number(&rest, 2),
            skip(":", &rest), let minute = number(&rest, 2), skip(":", &rest), let second = number(&rest, 2),
            let fraction = fraction(&rest), let offset = offsetMinutes(&rest), rest.isEmpty,
            1...12 ~= month, 1...length(ofMonth: month, year) ~= day, hour < 24, minute < 60, second < 61
        else { return nil }
        let minutes = (days(year, month, day) * 24 + hour) * 60 + minute - offset
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
    private static func fraction(_ rest: inout ArraySlice<UInt8>) -> Int64? {
        guard skip(".", &rest) else { return 0 }
        let digits = rest.prefix(while: isDigit)
        guard !digits.isEmpty else { return nil }
        rest = rest.dropFirst(digits.count)
        return (0..<6).reduce(0) { value, place in
            value * 10 + (place < digits.count ? Int64(digits[digits.startIndex + place] - UInt8(ascii: "0")) : 0)
        }
    }

    /// Minutes east of UTC.
    private static func offsetMinutes(_ rest: inout ArraySlice<UInt8>) -> Int64? {
        if skip("Z", &rest) || skip("z", &rest) { return 0 }
        let isEast = skip("+", &rest)
        guard isEast || skip("-", &rest), let hours = number(&rest, 2) else { return nil }
        _ = skip(":", &rest)
        guard let minutes = number(&rest, 2), hours < 24, minutes < 60 else { return nil }
        return (isEast ? 1 : -1) * (hours * 60 + minutes)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }

    private static func length(ofMonth month: Int64, _ year: Int64) -> Int64 {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// The day number, 0 for 1970-01-01 (Hinnant, "chrono-Compatible Low-Level Date Algorithms").
    private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let shiftedYear = year - (month <= 2 ? 1 : 0)
        let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
        let yearOfEra = shiftedYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
}
