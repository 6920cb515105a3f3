/// A signed amount of money, exactly as a PSP's report has it.
///
/// It may be finer than the currency's minor unit: PSPs list fees with up to eight decimal digits and round only what
/// they pay out. Equal amounts are equal whatever number of zeros the report writes.
public struct SettlementAmount: Hashable, Sendable, CustomStringConvertible {
    /// The most decimal digits of an amount; Checkout.com writes up to eight.
    public static let decimalsLimit = 12

    /// The currency the amount is in.
    public let currency: Currency
    /// The amount, counted in the ``decimals``-th decimal digit of the currency's major unit.
    ///
    /// From `-Int64.max` to `Int64.max`, so that every amount can be negated.
    public let units: Int64
    /// How many decimal digits ``units`` has: the currency's exponent, or as many more as the amount needs.
    public let decimals: Int

    /// Makes an amount of whole minor units of ISO 4217.
    ///
    /// - Throws: ``AmountProblem/overflow`` for `Int64.min`.
    public init(minorUnits: Int64, currency: Currency) throws(AmountProblem) {
        guard minorUnits != .min else { throw .overflow }
        self.init(units: minorUnits, decimals: currency.exponent, currency: currency)
    }

    /// Makes an amount of units of the ``decimals``-th decimal digit; nil if it has fewer digits than the currency or more
    /// than ``decimalsLimit``, or cannot be negated.
    package init?(exactly units: Int64, decimals: Int, currency: Currency) {
        guard (currency.exponent...Self.decimalsLimit).contains(decimals) else { return nil }
        try? self.init(trillionths: Int128(units) * Self.power(Self.decimalsLimit - decimals), currency: currency)
    }

    init(units: Int64, decimals: Int, currency: Currency) {
        self.units = units
        self.decimals = decimals
        self.currency = currency
    }

    /// The amount in minor units of ISO 4217; nil if it has a part that is smaller than one.
    public var minorUnits: Int64? { decimals == currency.exponent ? units : nil }

    /// The amount as decimal text with at least the currency's digits: `"-12.34"`, `"1200"`, `"0.0125"`.
    public var decimal: String {
        let digits = String(units.magnitude)
        let sign = units < 0 ? "-" : ""
        guard decimals > 0 else { return sign + digits }
        let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
        return "\(sign)\(padded.dropLast(decimals)).\(padded.suffix(decimals))"
    }

    /// The decimal text and the currency's code.
    public var description: String { "\(decimal) \(currency.code)" }

    /// Reads ``description``; nil for anything else.
    package init?(text: String) {
        let parts = text.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 2, let currency = Currency(code: String(parts[1])) else { return nil }
        try? self.init(decimal: parts[0], currency: currency)
        guard description == text else { return nil }
    }
}

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
    public init(decimal digits: Span<UInt8>, currency: Currency) throws(AmountProblem) {
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

/// Exact sums.
extension SettlementAmount {
    /// Nothing.
    public static func zero(_ currency: Currency) -> SettlementAmount {
        SettlementAmount(units: 0, decimals: currency.exponent, currency: currency)
    }

    /// The amount with the other sign.
    public var negated: SettlementAmount { SettlementAmount(units: -units, decimals: decimals, currency: currency) }

    /// Adds an amount of the same currency.
    ///
    /// - Throws: ``AmountProblem/currencyMismatch`` or ``AmountProblem/overflow``.
    public func adding(_ other: SettlementAmount) throws(AmountProblem) -> SettlementAmount {
        guard currency == other.currency else { throw .currencyMismatch }
        return try SettlementAmount(trillionths: trillionths + other.trillionths, currency: currency)
    }

    /// Takes away an amount of the same currency.
    ///
    /// - Throws: ``AmountProblem/currencyMismatch`` or ``AmountProblem/overflow``.
    public func subtracting(_ other: SettlementAmount) throws(AmountProblem) -> SettlementAmount {
        try adding(other.negated)
    }

    /// The amount in units of 10⁻¹² of the major unit: every amount is a whole number of them.
    package var trillionths: Int128 { Int128(units) * Self.power(Self.decimalsLimit - decimals) }

    /// The amount with as few decimal digits as it needs.
    ///
    /// - Throws: ``AmountProblem/overflow``.
    package init(trillionths: Int128, currency: Currency) throws(AmountProblem) {
        var value = trillionths
        var decimals = Self.decimalsLimit
        while decimals > currency.exponent, value % 10 == 0 {
            value /= 10
            decimals -= 1
        }
        guard let units = Int64(exactly: value), units != .min else { throw .overflow }
        self.init(units: units, decimals: decimals, currency: currency)
    }

    /// Ten to a power from 0 to ``decimalsLimit``.
    static func power(_ exponent: Int) -> Int128 { powers[exponent] }

    private static let powers: [Int128] = (0...decimalsLimit).map { exponent in
        (0..<exponent).reduce(1) { power, _ in power * 10 }
    }
}

/// Why the text of a report is no amount.
public enum AmountProblem: String, Error, Hashable, Sendable, CaseIterable {
    /// It is not digits with at most one point between them and a minus sign before them.
    case malformed
    /// It has more decimal digits than ``SettlementAmount/decimalsLimit``.
    case tooPrecise = "too_precise"
    /// It does not fit 64 bits.
    case overflow
    /// Two amounts that should be of one currency are not.
    case currencyMismatch = "currency_mismatch"
}
