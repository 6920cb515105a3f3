/// What a line of a settlement report is about.
public enum SettlementKind: String, Hashable, Sendable, CaseIterable {
    /// Money taken from a buyer, or the part of it that was not captured after all (negative).
    case payment
    /// Money given back to a buyer, or given back to us because the refund failed (positive).
    case refund
    /// Money taken back by a dispute.
    case chargeback
    /// Money given back after a dispute.
    case chargebackReversal = "chargeback_reversal"
    /// The platform's share of a payment, or its return: Stripe's and Square's application fees.
    case commission
    /// What the PSP, a scheme or a tax office takes, apart from the fee of a payment's own line.
    case fee
    /// A correction, a top-up, or a balance carried over.
    case adjustment
    /// Money sent to a bank account (negative), or come back from it.
    case payout
    /// Money held back (negative) or released.
    case reserve
    /// Everything else, and every type we do not know.
    case other
}
