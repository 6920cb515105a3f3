public import Domain

/// One line of a PSP's settlement report.
///
/// Positive amounts raise our balance at the PSP, negative ones lower it. ``fee`` alone counts the other way round:
/// positive is what the PSP took, negative what it gave back, so that net = gross − fee. A line whose kind is
/// ``SettlementKind/fee`` is itself a fee: what it takes is its negative ``net``, wherever the report puts the amount.
public struct SettlementLine: Hashable, Sendable {
    /// Where it stands: in a table the row, the header being row 1; in pages the entry, the first being 1.
    public var row: Int
    /// What it is about.
    public var kind: SettlementKind
    /// The PSP's own word for that.
    public var type: String
    /// What it says in words and names.
    package internal(set) var texts = LineTexts()
    /// Our attempt, if the report repeats it.
    public var attempt: AttemptID?
    /// Our operation, if the report repeats it.
    public var operation: OperationID?
    /// What the buyer paid or got back, where the report tells it apart from ``gross``: in the payment's currency.
    ///
    /// A payment of ours is compared with this, and with ``gross`` where it is absent.
    public var presentment: SettlementAmount?
    /// The amount before fees, in the currency that the report gives it in.
    public var gross: SettlementAmount?
    /// What the PSP took of it (positive), in the currency that is settled.
    public var fee: SettlementAmount?
    /// What the balance changed by, in the currency that is settled; nil if the report does not say.
    public var net: SettlementAmount?
    /// When it happened.
    public var occurredOn: SettlementDate?
    /// When it was booked, became available, or was settled.
    public var bookedOn: SettlementDate?
    /// When it was paid out.
    public var paidOn: SettlementDate?

    /// Makes a line of which nothing but its place and kind is known.
    public init(row: Int, kind: SettlementKind, type: String) {
        self.row = row
        self.kind = kind
        self.type = type
    }

    /// What is left of the net amount over gross − fee: zero in a line that adds up.
    ///
    /// Nil if the amounts are not all there, not of one currency, or too large to compare.
    public var discrepancy: SettlementAmount? {
        guard let gross, let net else { return nil }
        let expected = try? gross.subtracting(fee ?? .zero(gross.currency))
        return expected.flatMap { try? net.subtracting($0) }
    }
}
