import Domain

/// Reads UTCTime and GeneralizedTime as RFC 5652, 11.3 wants them: with seconds, in UTC, without fractions.
enum SigningTime {
    /// The next element, which has to be a time, in seconds since 1970.
    static func seconds(_ cursor: inout BERCursor) throws(BERCursor.Malformation) -> Int64 {
        let element = try cursor.next()
        let text = cursor.bytes[element.content]
        switch (element.tag, text.count, text.last) {
        case (0x17, 13, UInt8(ascii: "Z")):
            guard let digits = digits(text.dropLast()) else { throw .unexpected }
            return try seconds([digits[0] < 5 ? 2 : 1, digits[0] < 5 ? 0 : 9] + digits)
        case (0x18, 15, UInt8(ascii: "Z")):
            guard let digits = digits(text.dropLast()) else { throw .unexpected }
            return try seconds(digits)
        default: throw .unexpected
        }
    }

    private static func digits(_ text: ArraySlice<UInt8>) -> [Int64]? {
        let digits = text.compactMap { (0x30...0x39).contains($0) ? Int64($0 - 0x30) : nil }
        return digits.count == text.count ? digits : nil
    }

    /// The seconds of `YYYYMMDDHHMMSS`.
    private static func seconds(_ digits: [Int64]) throws(BERCursor.Malformation) -> Int64 {
        func number(_ start: Int, _ count: Int) -> Int64 { digits[start..<start + count].reduce(0) { $0 * 10 + $1 } }
        let date = CalendarDay(year: Int(number(0, 4)), month: Int(number(4, 2)), day: Int(number(6, 2)))
        let (hour, minute, second) = (number(8, 2), number(10, 2), number(12, 2))
        guard let date, hour < 24, minute < 60, second < 60 else { throw .unexpected }
        return Int64(date.number) * 86_400 + hour * 3600 + minute * 60 + second
    }
}
