/// An amount of money that is never negative, never fractional and of one currency.
public struct Money: Hashable, Sendable {
    /// The amount in the currency's minor unit, 0 to `Int64.max`.
    public let minorUnits: Int64
    /// The currency the amount is in.
    public let currency: Currency

    /// Makes an amount.
    ///
    /// - Throws: ``MoneyError/negative``.
    public init(minorUnits: Int64, currency: Currency) throws(MoneyError) {
        guard minorUnits >= 0 else { throw .negative }
        self.minorUnits = minorUnits
        self.currency = currency
    }

    /// Adds an amount of the same currency.
    ///
    /// - Throws: ``MoneyError/currencyMismatch`` or ``MoneyError/overflow``.
    public func adding(_ other: Money) throws(MoneyError) -> Money {
        guard currency == other.currency else { throw .currencyMismatch }
        let (sum, overflow) = minorUnits.addingReportingOverflow(other.minorUnits)
        guard !overflow else { throw .overflow }
        return try Money(minorUnits: sum, currency: currency)
    }

    /// Takes away an amount of the same currency.
    ///
    /// - Throws: ``MoneyError/currencyMismatch`` or ``MoneyError/negative``.
    public func subtracting(_ other: Money) throws(MoneyError) -> Money {
        guard currency == other.currency else { throw .currencyMismatch }
        return try Money(minorUnits: minorUnits - other.minorUnits, currency: currency)
    }
}

/// Why an amount cannot be made.
public enum MoneyError: Error, Hashable, Sendable {
    /// The result would be below zero.
    case negative
    /// The result would not fit 64 bits.
    case overflow
    /// The two amounts are of different currencies.
    case currencyMismatch
    /// The text is not a decimal amount.
    case malformed
    /// The text has more decimal digits than the currency's minor unit.
    case tooPrecise
}
