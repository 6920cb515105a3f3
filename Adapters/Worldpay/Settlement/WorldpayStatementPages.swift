package import AdapterKit
package import Domain
import StrictJSON

/// The answers of Worldpay's `GET /accounts/statements`, page by page.
///
/// It is the statement of an account that Worldpay holds for a platform or a party; what an acquirer settles to a bank
/// does not pass through it. Amounts are decimal numbers of major units without a sign, `fundingType` says which way
/// they went. Source: "Statements API" and its example, read in November 2026.
package struct WorldpayStatementPages: ReportPages {
    /// `worldpay-account-statement`.
    package static let format = "worldpay-account-statement"
    /// `accountStatementItems`.
    package static let entriesMember = "accountStatementItems"

    /// True: what the answer says of further pages is not documented.
    package var isComplete: Bool { true }

    /// Begins before the first page.
    package init() {}

    /// Reads a page.
    package mutating func entries(
        of page: [UInt8],
        number: Int,
        firstRow: Int
    ) throws(SettlementProblem) -> [Result<SettlementLine, RowProblem>] {
        guard let json = try? JSON.parse(page) else { throw .malformedPage(number) }
        if json["errorName"] != nil { throw .errorPage(number) }
        guard let items = json[Self.entriesMember] else { throw .malformedPage(number) }
        guard let items = items.isNull ? [] : items.arrayValue else { throw .malformedPage(number) }
        let account = json["accountNumber"]?.stringValue
        let currency = json["currency"]?.stringValue.flatMap { Currency(code: $0) }
        return items.enumerated().map { offset, item in
            do throws(RowProblem) {
                guard let currency else { throw .unknownCurrency(column: "currency") }
                let item = WorldpayStatementItem(json: item, account: account, currency: currency)
                return .success(try item.line(firstRow + offset))
            } catch {
                return .failure(error)
            }
        }
    }
}
