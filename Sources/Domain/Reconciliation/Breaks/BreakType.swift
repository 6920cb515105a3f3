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
