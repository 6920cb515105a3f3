import Domain

/// Times in UTC as Authorize.Net writes them: `2026-11-21T08:33:17.1234567Z`, with or without fraction and `Z`.
enum UTCTime {
    /// The moment; nil if the text is none, or has another offset.
    static func timestamp(_ text: String) -> Timestamp? {
        var bytes = Array(text.utf8)[...]
        if bytes.last == UInt8(ascii: "Z") { bytes = bytes.dropLast() }
        guard bytes.count >= 19 else { return nil }
        let separators = Array("--T::".utf8)
        guard zip([4, 7, 10, 13, 16], separators).allSatisfy({ bytes[$0] == $1 }),
            let year = number(bytes[0..<4]), let month = number(bytes[5..<7]), let day = number(bytes[8..<10]),
            let hour = number(bytes[11..<13]), let minute = number(bytes[14..<16]),
            let second = number(bytes[17..<19]), let fraction = microseconds(bytes[19...]),
            (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second < 60
        else { return nil }
        let seconds = days(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second
        return Timestamp(microseconds: seconds * 1_000_000 + fraction)
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int64? {
        digits.reduce(0) { value, byte in
            guard let value, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            return value * 10 + Int64(byte - UInt8(ascii: "0"))
        }
    }

    /// The first six digits behind the point; 0 if there is nothing.
    private static func microseconds(_ bytes: ArraySlice<UInt8>) -> Int64? {
        guard let point = bytes.first else { return 0 }
        let digits = bytes.dropFirst()
        guard point == UInt8(ascii: "."), (1...9).contains(digits.count), number(digits) != nil else { return nil }
        let padding = [UInt8](repeating: UInt8(ascii: "0"), count: 6)
        return number((Array(digits) + padding)[..<6])
    }

    /// Days since 1970 of a Gregorian date (Hinnant, "chrono-Compatible Low-Level Date Algorithms").
    private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let year = month <= 2 ? year - 1 : year
        let era = year / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
}
