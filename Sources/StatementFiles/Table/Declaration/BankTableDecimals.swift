/// How a bank's table writes amounts.
package enum BankTableDecimals: String, Hashable, Sendable, CaseIterable {
    /// `1234.56`, `1,234.56`, `1'234.56` or `1 234.56`.
    case point
    /// `1234,56`, `1.234,56`, `1'234,56` or `1 234,56`.
    case comma

    /// The number with a point, without separators of thousands and without a plus sign; nil if it is none.
    func canonical(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        let mark = self == .point ? UInt8(ascii: ".") : UInt8(ascii: ",")
        let isNegative = text.first == UInt8(ascii: "-") || text.last == UInt8(ascii: "-")
        var digits = text
        if let first = digits.first, first == UInt8(ascii: "-") || first == UInt8(ascii: "+") {
            digits = digits.dropFirst()
        } else if digits.last == UInt8(ascii: "-") {
            digits = digits.dropLast()
        }
        let place = digits.firstIndex(of: mark) ?? digits.endIndex
        guard let whole = Self.whole(digits[..<place], separator: self == .point ? "," : ".") else { return nil }
        var result = isNegative ? [UInt8(ascii: "-")] : []
        result += whole.isEmpty ? [UInt8(ascii: "0")] : whole
        if place < digits.endIndex {
            let fraction = digits[(place + 1)...]
            guard !fraction.isEmpty || !whole.isEmpty else { return nil }
            if !fraction.isEmpty { result += [UInt8(ascii: ".")] + fraction }
        } else if whole.isEmpty {
            return nil
        }
        return result[...]
    }

    /// The digits before the mark; nil if separators do not divide them into groups of three.
    private static func whole(_ text: ArraySlice<UInt8>, separator: Unicode.Scalar) -> [UInt8]? {
        // A no-break space is one byte in ISO-8859-1 and two in UTF-8, and a narrow one is three.
        let signs = [[UInt8(ascii: separator)], [0x27], [0x20], [0xC2, 0xA0], [0xA0], [0xE2, 0x80, 0xAF]]
        guard let sign = signs.first(where: { text.firstRange(of: $0) != nil }) else { return Array(text) }
        var groups: [ArraySlice<UInt8>] = []
        var rest = text
        while let range = rest.firstRange(of: sign) {
            groups.append(rest[..<range.lowerBound])
            rest = rest[range.upperBound...]
        }
        groups.append(rest)
        guard let first = groups.first, (1...3).contains(first.count), groups.dropFirst().allSatisfy({ $0.count == 3 })
        else { return nil }
        return groups.flatMap { $0 }
    }
}
