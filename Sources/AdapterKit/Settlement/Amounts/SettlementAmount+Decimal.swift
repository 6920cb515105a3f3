public import Domain

/// Reading what a report writes.
extension SettlementAmount {
    /// Parses decimal text in major units, in ASCII: `12`, `-12.3`, `12.3400`.
    ///
    /// No separators of thousands, no plus sign, no exponent: a report that has them is not the one that is documented.
    ///
    /// - Throws: ``AmountProblem/malformed``, ``AmountProblem/tooPrecise`` or ``AmountProblem/overflow``.
    public init(decimal text: ArraySlice<UInt8>, currency: Currency) throws(AmountProblem) {
        try self.init(decimal: text.span, currency: currency)
    }

    /// Parses decimal text, as the initializer that takes a slice.
    init(decimal digits: Span<UInt8>, currency: Currency) throws(AmountProblem) {
        let isNegative = digits.count > 0 && digits[0] == UInt8(ascii: "-")
        let start = isNegative ? 1 : 0
        let point = try Self.point(digits, from: start)
        var end = digits.count
        while end - point - 1 > currency.exponent, digits[end - 1] == UInt8(ascii: "0") { end -= 1 }
        let fractionCount = max(end - point - 1, 0)
        guard fractionCount <= Self.decimalsLimit else { throw .tooPrecise }
        let decimals = max(fractionCount, currency.exponent)
        var magnitude: Int64 = 0
        for place in start..<end where place != point { try Self.append(digits[place], to: &magnitude) }
        for _ in fractionCount..<decimals { try Self.append(UInt8(ascii: "0"), to: &magnitude) }
        self.init(units: isNegative ? -magnitude : magnitude, decimals: decimals, currency: currency)
    }

    /// Where the point stands, the end if there is none; digits stand before it, and behind it if it is there.
    private static func point(_ digits: Span<UInt8>, from start: Int) throws(AmountProblem) -> Int {
        var point = digits.count
        for place in start..<digits.count where !isDigit(digits[place]) {
            guard digits[place] == UInt8(ascii: "."), point == digits.count else { throw .malformed }
            point = place
        }
        guard point > start, point != digits.count - 1 else { throw .malformed }
        return point
    }

    /// Parses decimal text in major units.
    ///
    /// - Throws: as the initializer that takes bytes.
    public init(decimal text: some StringProtocol, currency: Currency) throws(AmountProblem) {
        try self.init(decimal: Array(text.utf8)[...], currency: currency)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }

    private static func append(_ digit: UInt8, to value: inout Int64) throws(AmountProblem) {
        let (tens, overflowed) = value.multipliedReportingOverflow(by: 10)
        let (sum, overflowedAgain) = tens.addingReportingOverflow(Int64(digit - UInt8(ascii: "0")))
        guard !overflowed, !overflowedAgain else { throw .overflow }
        value = sum
    }
}
