/// A difference between a file and our books that a rule or a person must explain.
///
/// It is the same break, with the same ``key``, however often the same inputs are reconciled.
package struct Break: Hashable, Sendable {
    /// How they differ.
    package var type: BreakType
    /// What makes it this break and no other: its type and what it is about, never a time or a random number.
    package var key: String
    /// The currency of ``amount``; nil for a row that cannot be read.
    package var currency: Currency?
    /// What is at stake, in minor units: theirs less ours where both are there, else the one that is there as it
    /// changes the balance at the PSP or bank.
    ///
    /// Of a batch, what it paid out less what its lines come to; of a payout, what arrived at the bank less what was
    /// paid out, all of it if nothing arrived. Zero for what is no matter of money.
    package var amount: Int64
    /// The day it is aged from, `YYYY-MM-DD`; nil if neither side has one.
    package var day: String?
    /// The PSP.
    package var psp: String?
    /// The PSP account.
    package var pspAccount: String?
    /// The merchant.
    package var merchant: MerchantID?
    /// The order.
    package var order: OrderID?
    /// The payment.
    package var payment: PaymentID?
    /// The expectation it leaves unmet or met wrongly, if it is about one.
    package var subject: Expectation.Subject?
    /// The lines it is about, in order; at most the first hundred.
    package var lines: [LinePlace]
    /// What differs, in a sentence with both figures.
    package var explanation: String
    /// What would fix it, in a sentence.
    package var suggestion: String

    /// Makes a break.
    package init(
        type: BreakType,
        key: String,
        currency: Currency?,
        amount: Int64,
        day: String?,
        psp: String? = nil,
        pspAccount: String? = nil,
        merchant: MerchantID? = nil,
        order: OrderID? = nil,
        payment: PaymentID? = nil,
        subject: Expectation.Subject? = nil,
        lines: [LinePlace] = [],
        explanation: String,
        suggestion: String
    ) {
        self.type = type
        self.key = key
        self.currency = currency
        self.amount = amount
        self.day = day
        self.psp = psp
        self.pspAccount = pspAccount
        self.merchant = merchant
        self.order = order
        self.payment = payment
        self.subject = subject
        self.lines = lines
        self.explanation = explanation
        self.suggestion = suggestion
    }
}

/// How a line of a PSP's or bank's file and our books differ.
///
/// The seventeen kinds that operators of payment reconciliation tell apart; each needs another answer.
package enum BreakType: String, Hashable, Sendable, CaseIterable {
    /// We say that money moved, and long after it should have been settled there is no line.
    case missingAtPSP = "missing_at_psp"
    /// There is a line of a payment, and we know nothing of it.
    case missingInOurs = "missing_in_ours"
    /// The line is more or less than ours.
    case amountMismatch = "amount_mismatch"
    /// The line is in another currency than ours.
    case currencyMismatch = "currency_mismatch"
    /// The line's own net is not gross less fee, or the fee is not the agreed one.
    case feeMismatch = "fee_mismatch"
    /// The same movement is reported again.
    case duplicateLine = "duplicate_line"
    /// The line tells of an effect that our payment never had: captured where we voided or were declined.
    case statusMismatch = "status_mismatch"
    /// The total is right and its distribution is not: the commission the PSP kept is another than the frozen one.
    case splitMismatch = "split_mismatch"
    /// The line names another merchant account than the payment's route.
    case wrongMerchantAccount = "wrong_merchant_account"
    /// Settlement is overdue; not yet so long that it counts as missing.
    case late
    /// The lines of a batch do not come to what the batch paid out.
    case batchSumMismatch = "batch_sum_mismatch"
    /// What a batch paid out did not arrive at the bank, or arrived with another amount.
    case payoutMismatch = "payout_mismatch"
    /// Money was given or taken back of a payment that nobody knows.
    case refundWithoutOrigin = "refund_without_origin"
    /// The line goes the other way: a credit where ours is a debit.
    case directionMismatch = "direction_mismatch"
    /// The line is ours by the PSP's reference, and names another reference of ours.
    case referenceMismatch = "reference_mismatch"
    /// The line differs by no more than rounding can make it.
    case roundingResidue = "rounding_residue"
    /// A row that cannot be read.
    case unparseableRow = "unparseable_row"
}

/// How long a break has waited, as operators group them.
package enum AgeBucket: String, Hashable, Sendable, CaseIterable {
    /// Up to a day.
    case day = "0-1"
    /// Two or three days.
    case days = "2-3"
    /// Up to a week.
    case week = "4-7"
    /// Up to thirty days.
    case month = "8-30"
    /// Longer.
    case longer = ">30"

    /// The bucket of an age in whole days; what lies ahead counts as no age.
    package init(days: Int64) {
        self =
            switch days {
            case ...1: .day
            case 2...3: .days
            case 4...7: .week
            case 8...30: .month
            default: .longer
            }
    }
}

/// Where a line of an imported file stands.
package struct LinePlace: Hashable, Sendable, Comparable {
    /// The SHA-256 of the file as it was handed in, 64 hexadecimal digits in lower case.
    package let file: String
    /// The member of an archive, from 0; 0 for a plain file.
    package let member: Int
    /// The row, counted as its reader counts.
    package let row: Int

    /// Makes a place.
    package init(file: String, member: Int = 0, row: Int) {
        self.file = file
        self.member = member
        self.row = row
    }

    /// By file, then member, then row.
    package static func < (left: LinePlace, right: LinePlace) -> Bool {
        (left.file, left.member, left.row) < (right.file, right.member, right.row)
    }
}
