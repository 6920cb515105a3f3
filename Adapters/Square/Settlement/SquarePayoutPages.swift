package import AdapterKit
package import Domain
import StrictJSON

/// The answers of Square's `GET /v2/payouts/{id}/payout-entries`, page by page.
///
/// Amounts are signed integers in minor units; the payout is the sum of the net amounts. The currency's member is
/// `currency` in the schema of money and `currency_code` in the operation's own example; both are read. Source: Square's
/// API description, read in November 2026.
package struct SquarePayoutPages: ReportPages {
    /// `square-payout-entries`.
    package static let format = "square-payout-entries"
    /// `payout_entries`.
    package static let entriesMember = "payout_entries"

    /// False after a page with a cursor, which leads to the next one.
    package private(set) var isComplete = true

    /// Begins before the first page.
    package init() {}

    /// Reads a page.
    package mutating func entries(
        of page: [UInt8],
        number: Int,
        firstRow: Int
    ) throws(SettlementProblem) -> [Result<SettlementLine, RowProblem>] {
        guard let json = try? JSON.parse(page) else { throw .malformedPage(number) }
        if let errors = json["errors"], !errors.isNull, errors.arrayValue?.isEmpty != true { throw .errorPage(number) }
        guard let entries = (json[Self.entriesMember] ?? .array([])).arrayValue else { throw .malformedPage(number) }
        isComplete = json["cursor"]?.stringValue?.isEmpty ?? true
        return entries.enumerated().map { offset, entry in
            do throws(RowProblem) {
                return .success(try SquarePayoutEntry(entry).line(firstRow + offset))
            } catch {
                return .failure(error)
            }
        }
    }
}
