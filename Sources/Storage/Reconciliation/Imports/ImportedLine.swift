package import Domain

/// A line of a settlement file, flat, as it is stored.
package struct ImportedLine: Hashable, Sendable {
    /// The member of an archive, from 0.
    package var member: Int
    /// The row, counted as its reader counts.
    package var row: Int
    /// 128 bits that tell it from lines of other contents.
    package var hash: [UInt8]
    /// What it is about, by the word of `SettlementKind`.
    package var kind: Kind
    /// The PSP's own word for that.
    package var type: String
    /// The PSP's account.
    package var account: String?
    /// The merchant below it.
    package var submerchant: String?
    /// The reference that we gave the PSP.
    package var reference: String?
    /// Our attempt.
    package var attempt: AttemptID?
    /// Our operation.
    package var operation: OperationID?
    /// The PSP's name of the payment.
    package var paymentReference: String?
    /// The PSP's name of the capture, refund or dispute.
    package var objectReference: String?
    /// The PSP's name of this very line.
    package var entryReference: String?
    /// The payout or batch that it is part of.
    package var batch: String?
    /// What the buyer paid or got back, where it is told apart.
    package var presentment: ExactAmount?
    /// The amount before fees.
    package var gross: ExactAmount?
    /// What the PSP took of it (positive).
    package var fee: ExactAmount?
    /// What the balance changed by.
    package var net: ExactAmount?
    /// The exchange rate as the file writes it.
    package var exchangeRate: String?
    /// When it happened, as the file writes it.
    package var occurredOn: String?
    /// When it was booked.
    package var bookedOn: String?
    /// When it was paid out.
    package var paidOn: String?
    /// The day it counts for, `YYYY-MM-DD`.
    package var day: String?

    /// Makes a line of which nothing but its place, hash and kind is known.
    package init(member: Int = 0, row: Int, hash: [UInt8], kind: Kind, type: String) {
        self.member = member
        self.row = row
        self.hash = hash
        self.kind = kind
        self.type = type
    }

    /// What a line is about; the words are those of `SettlementKind`.
    package enum Kind: String, Sendable, CaseIterable {
        /// Money taken from a buyer.
        case payment
        /// Money given back to a buyer.
        case refund
        /// Money taken back by a dispute.
        case chargeback
        /// Money given back after a dispute.
        case chargebackReversal = "chargeback_reversal"
        /// The platform's share of a payment.
        case commission
        /// What the PSP takes, apart from a payment's own line.
        case fee
        /// A correction, a top-up, a balance carried over.
        case adjustment
        /// Money sent to a bank account, or come back.
        case payout
        /// Money held back or released.
        case reserve
        /// Everything else.
        case other

        /// Whether our books expect such lines.
        var isEffect: Bool {
            switch self {
            case .payment, .refund, .chargeback, .chargebackReversal: true
            case .commission, .fee, .adjustment, .payout, .reserve, .other: false
            }
        }
    }
}
