package import AdapterKit

/// What a file that an operator hands over holds, in its order.
///
/// Nothing of it may be kept for good before ``end(_:)``: only then is it known that no part is damaged or cut off.
package enum ReportItem: Sendable {
    /// A file begins: the only one, or the next of an archive.
    case member(ReportMember)
    /// Lines of a PSP's settlement report.
    case settlementLines([SettlementLine])
    /// The settlement report ends; the trailer's own lines have been handed over.
    case settlementEnd(SettlementTrailer)
    /// What a bank's file holds.
    case bankItems([BankItem])
    /// The bank's file ends.
    case bankEnd(BankTrailer)
    /// All of it was read, and it is whole.
    case end(FileDigest)
}
