/// What two sides have to share, for a rule to match them.
package enum RuleKey: Hashable, Sendable {
    /// Our attempt, as the report repeats it.
    case attempt
    /// Our operation, as the report repeats it.
    case operation
    /// The PSP's name of the capture, refund or dispute.
    case objectReference
    /// The PSP's name of the payment.
    case paymentReference
    /// Our attempt's identifier, found in either case anywhere in the text that stands for our reference.
    case reference
    /// The amount and the currency, and days that lie no further apart than this, from 0 to 31.
    ///
    /// Only what names nothing else takes part: a line that carries a reference is never matched against it.
    case amountAndDate(windowDays: Int)
    /// The batch: its lines against what it paid out.
    case batch
    /// The payout's name, found in the bank's references or text.
    case payoutReference

    /// The word for it in a file of rules.
    package var name: String {
        switch self {
        case .attempt: "attempt"
        case .operation: "operation"
        case .objectReference: "object_reference"
        case .paymentReference: "payment_reference"
        case .reference: "reference"
        case .amountAndDate: "amount_and_date"
        case .batch: "batch"
        case .payoutReference: "payout_reference"
        }
    }

    /// The levels at which it can stand.
    package var levels: Set<MatchLevel> {
        switch self {
        case .attempt, .operation, .objectReference, .paymentReference, .reference: [.line]
        case .amountAndDate: [.line, .bank, .payout]
        case .batch: [.batch]
        case .payoutReference: [.bank, .payout]
        }
    }
}
