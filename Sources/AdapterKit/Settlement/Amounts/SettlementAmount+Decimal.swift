public import Domain

/// Reading what a report writes.
extension SettlementAmount {
    /// Parses decimal text in major units, in ASCII: `12`, `-12.3`, `12.3400`.
    ///
    /// No separators of thousands, no plus sign, no exponent: a report that has them is not the one that is documented.
    ///
    /// - Throws: ``AmountProblem/malformed``, ``AmountProblem/tooPrecise`` or ``AmountProblem/overflow``.
    public init(decimal text: ArraySlice<UInt8>, currency: Currency) throws(AmountProblem) {
        let isNegative = text.first == UInt8(ascii: "-")
        let digits = isNegative ? text.dropFirst() : text
        let point = digits.firstIndex(of: UInt8(ascii: ".")) ?? digits.endIndex
        let whole = digits[..<point]
        var fraction = digits[point...].dropFirst()
        guard !whole.isEmpty, point == digits.endIndex || !fraction.isEmpty, whole.allSatisfy(Self.isDigit),
            fraction.allSatisfy(Self.isDigit)
        else { throw .malformed }
        while fraction.count > currency.exponent, fraction.last == UInt8(ascii: "0") { fraction.removeLast() }
        guard fraction.count <= Self.decimalsLimit else { throw .tooPrecise }
        let decimals = max(fraction.count, currency.exponent)
        var magnitude: Int64 = 0
        for digit in whole { try Self.append(digit, to: &magnitude) }
        for digit in fraction { try Self.append(digit, to: &magnitude) }
        for _ in fraction.count..<decimals { try Self.append(UInt8(ascii: "0"), to: &magnitude) }
        self.init(units: isNegative ? -magnitude : magnitude, decimals: decimals, currency: currency)
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
