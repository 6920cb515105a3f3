public import Domain

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

    private static func power(_ exponent: Int) -> Int128 { powers[exponent] }

    private static let powers: [Int128] = (0...decimalsLimit).map { exponent in
        (0..<exponent).reduce(1) { power, _ in power * 10 }
    }
}
