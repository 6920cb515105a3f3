public import Domain

/// What the lines of a report add up to in one currency.
public struct SettlementSum: Hashable, Sendable {
    /// The sum of ``SettlementLine/gross``.
    public let gross: SettlementAmount
    /// The sum of ``SettlementLine/fee``.
    public let fee: SettlementAmount
    /// The sum of ``SettlementLine/net``.
    public let net: SettlementAmount
    /// The sum of the net amounts above zero.
    public let credits: SettlementAmount
    /// The sum of the net amounts below zero, itself not above zero.
    public let debits: SettlementAmount

    /// The currency.
    public var currency: Currency { net.currency }
}
