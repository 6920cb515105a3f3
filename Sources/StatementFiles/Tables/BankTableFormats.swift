import Domain

/// How a bank's table writes dates; a time behind a date is passed over.
package enum BankTableDateFormat: String, Hashable, Sendable, CaseIterable {
    /// `2026-11-21`, with any of `-`, `/` and `.` between, or `20261121`.
    case yearMonthDay = "yyyy-mm-dd"
    /// `21.11.2026`; a year of two digits is of this century.
    case dayMonthYear = "dd.mm.yyyy"
    /// `11/21/2026`; a year of two digits is of this century.
    case monthDayYear = "mm/dd/yyyy"

    /// The day; nil if the text begins with none.
    func day(_ text: ArraySlice<UInt8>) -> CalendarDay? {
        let date = text.prefix { $0 != 0x20 && $0 != UInt8(ascii: "T") }
        if self == .yearMonthDay, date.count == 8, let number = Digits.number(date) {
            return CalendarDay(year: number / 10_000, month: number / 100 % 100, day: number % 100)
        }
        let parts = date.split(omittingEmptySubsequences: false) { "-/.".utf8.contains($0) }
        guard parts.count == 3, let first = Digits.number(parts[0]), let second = Digits.number(parts[1]),
            let third = Digits.number(parts[2])
        else { return nil }
        let yearPart = parts[self == .yearMonthDay ? 0 : 2]
        guard yearPart.count == 4 || yearPart.count == 2 else { return nil }
        let century = yearPart.count == 2 ? 2_000 : 0
        switch self {
        case .yearMonthDay: return CalendarDay(year: first + century, month: second, day: third)
        case .dayMonthYear: return CalendarDay(year: third + century, month: second, day: first)
        case .monthDayYear: return CalendarDay(year: third + century, month: first, day: second)
        }
    }
}

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

/// What the bytes of a bank's table are.
package enum BankTableEncoding: String, Hashable, Sendable, CaseIterable {
    /// UTF-8, with or without a byte order mark.
    case utf8 = "utf-8"
    /// ISO-8859-1.
    case latin1 = "iso-8859-1"

    /// The text; nil if the bytes are none.
    func text(_ bytes: ArraySlice<UInt8>) -> String? {
        switch self {
        case .utf8: String(validating: bytes, as: UTF8.self)?.withBoundedRuns
        case .latin1: String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
        }
    }
}

/// What separates the fields of a bank's table.
package enum BankTableSeparator: String, Hashable, Sendable, CaseIterable {
    /// `,`
    case comma
    /// `;`
    case semicolon
    /// A horizontal tabulator.
    case tab
    /// `|`
    case pipe

    /// The byte.
    var byte: UInt8 {
        switch self {
        case .comma: UInt8(ascii: ",")
        case .semicolon: UInt8(ascii: ";")
        case .tab: UInt8(ascii: "\t")
        case .pipe: UInt8(ascii: "|")
        }
    }
}
