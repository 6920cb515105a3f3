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
    /// The PSP's account that the money belongs to, as the report names it.
    public var account: String?
    /// The merchant below that account, as the report or our reference names it.
    public var submerchant: String?
    /// The reference that we gave the PSP, as the report repeats it.
    public var reference: String?
    /// Our attempt, if the report repeats it.
    public var attempt: AttemptID?
    /// Our operation, if the report repeats it.
    public var operation: OperationID?
    /// The PSP's name of the payment.
    public var paymentReference: String?
    /// The PSP's name of the capture, refund or dispute that moved the money.
    public var objectReference: String?
    /// The PSP's name of this very line, if it has one: unique over all its reports.
    public var entryReference: String?
    /// The payout or batch that the line is part of.
    public var batch: String?
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
    /// The exchange rate as the report writes it; what it is from and to is the PSP's matter.
    public var exchangeRate: String?
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
