/// Numbers: `-? (0 | [1-9][0-9]*) (\.[0-9]+)? ([eE][+-]?[0-9]+)?`.
extension JSONParser {
    mutating func number() throws(JSONRefusal) -> JSON {
        let start = index
        let isNegative = next == UInt8(ascii: "-")
        if isNegative { index += 1 }
        let digits = try digits()
        guard digits.count == 1 || bytes[digits.lowerBound] != UInt8(ascii: "0") else {
            throw JSONRefusal(.malformedNumber, at: digits.lowerBound)
        }
        let hasFraction = try skipFraction()
        let hasExponent = try skipExponent()
        if !hasFraction, !hasExponent, let value = integer(digits, isNegative: isNegative) { return .integer(value) }
        return .number(String(decoding: bytes[start..<index], as: UTF8.self))
    }

    /// Skips one digit or more and says where they are.
    private mutating func digits() throws(JSONRefusal) -> Range<Int> {
        let start = index
        while let byte = next, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") { index += 1 }
        guard index > start else { throw refusal(next == nil ? .unexpectedEnd : .malformedNumber) }
        return start..<index
    }

    private mutating func skipFraction() throws(JSONRefusal) -> Bool {
        guard next == UInt8(ascii: ".") else { return false }
        index += 1
        _ = try digits()
        return true
    }

    private mutating func skipExponent() throws(JSONRefusal) -> Bool {
        guard next == UInt8(ascii: "e") || next == UInt8(ascii: "E") else { return false }
        index += 1
        if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { index += 1 }
        _ = try digits()
        return true
    }

    /// The digits as 64 bits; nil if they do not fit.
    private func integer(_ digits: Range<Int>, isNegative: Bool) -> Int64? {
        var value: Int64 = 0
        for byte in bytes[digits] {
            let digit = Int64(byte - UInt8(ascii: "0"))
            let (scaled, overflowed) = value.multipliedReportingOverflow(by: 10)
            let (sum, overflowedAgain) = scaled.addingReportingOverflow(isNegative ? -digit : digit)
            guard !overflowed, !overflowedAgain else { return nil }
            value = sum
        }
        return value
    }
}
