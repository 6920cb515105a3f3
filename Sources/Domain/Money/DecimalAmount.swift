extension Money {
    /// Parses a decimal amount exactly, as a wallet or a PSP writes it: `"12"`, `"12.3"`, `"12.34"`.
    ///
    /// More decimal digits than the currency has are accepted only if they are zeros (`"100.00"` in JPY).
    ///
    /// - Throws: ``MoneyError/malformed`` for anything but digits with at most one point between digits,
    ///   ``MoneyError/negative`` for a minus sign, ``MoneyError/tooPrecise`` or ``MoneyError/overflow``.
    public init(decimal text: String, currency: Currency) throws(MoneyError) {
        let bytes = Array(text.utf8)
        let isNegative = bytes.first == UInt8(ascii: "-")
        let parts = bytes.dropFirst(isNegative ? 1 : 0)
            .split(separator: UInt8(ascii: "."), maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count <= 2, parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy(Self.isDigit) }) else {
            throw .malformed
        }
        guard !isNegative else { throw .negative }
        let fraction = parts.count == 2 ? Array(parts[1]) : []
        guard fraction.dropFirst(currency.exponent).allSatisfy({ $0 == UInt8(ascii: "0") }) else { throw .tooPrecise }
        let padding = [UInt8](repeating: UInt8(ascii: "0"), count: max(0, currency.exponent - fraction.count))
        let digits = Array(parts[0]) + fraction.prefix(currency.exponent) + padding
        try self.init(minorUnits: Self.integer(digits), currency: currency)
    }

    /// The amount as decimal text with exactly the currency's number of decimal digits: `"12.34"`, `"1200"`.
    public var decimal: String {
        let digits = String(minorUnits)
        guard currency.exponent > 0 else { return digits }
        let padded = String(repeating: "0", count: max(0, currency.exponent + 1 - digits.count)) + digits
        return "\(padded.dropLast(currency.exponent)).\(padded.suffix(currency.exponent))"
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }

    private static func integer(_ digits: [UInt8]) throws(MoneyError) -> Int64 {
        var value: Int64 = 0
        for digit in digits {
            let (tens, overflowed) = value.multipliedReportingOverflow(by: 10)
            let (sum, overflowedAgain) = tens.addingReportingOverflow(Int64(digit - UInt8(ascii: "0")))
            guard !overflowed, !overflowedAgain else { throw .overflow }
            value = sum
        }
        return value
    }
}

extension Currency {
    /// An amount, which may be below zero, as decimal text with exactly the currency's number of digits: `"-12.34"`.
    package func decimal(_ minorUnits: Int64) -> String {
        let digits = String(minorUnits.magnitude)
        let sign = minorUnits < 0 ? "-" : ""
        guard exponent > 0 else { return sign + digits }
        let padded = String(repeating: "0", count: max(0, exponent + 1 - digits.utf8.count)) + digits
        return "\(sign)\(padded.dropLast(exponent)).\(padded.suffix(exponent))"
    }
}
