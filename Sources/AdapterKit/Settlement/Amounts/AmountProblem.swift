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
