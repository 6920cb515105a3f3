package import AdapterKit
package import Domain
import StrictJSON

/// What Worldpay reports of money that it settled.
extension WorldpayAdapter: SettlementReporter {
    /// The pages of an account's statement.
    package static var settlementReports: [any SettlementReport.Type] { [PagedReport<WorldpayStatementPages>.self] }
}

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

/// One item of an account's statement.
private struct WorldpayStatementItem {
    let json: JSON
    let account: String?
    let currency: Currency

    /// The documented transfer types that are about money we know of; the rest is ``SettlementKind/other``.
    private static let kinds: [String: SettlementKind] = ["PAYOUT": .payout, "PAYOUT REVERSAL": .payout]

    /// The item as a line.
    ///
    /// - Throws: ``RowProblem`` without an identifier, a type, a direction or an amount.
    func line(_ row: Int) throws(RowProblem) -> SettlementLine {
        let type = try required("transferType")
        var line = SettlementLine(row: row, kind: Self.kinds[type] ?? .other, type: type)
        let amount = try amount()
        line.gross = amount
        line.net = amount
        line.account = account
        line.entryReference = try required("statementItemId")
        line.reference = json["transactionReference"]?.stringValue
        line.attempt = line.reference.flatMap { AttemptID($0) }
        line.exchangeRate = text(of: json["rate"])
        line.bookedOn = json["timestamp"]?.stringValue.map { SettlementDate($0) }
        return line
    }

    private func required(_ key: String) throws(RowProblem) -> String {
        guard let text = json[key]?.stringValue, !text.isEmpty else { throw .missing(column: key) }
        return text
    }

    /// The amount with the sign that the direction gives it.
    private func amount() throws(RowProblem) -> SettlementAmount {
        let direction = try required("fundingType")
        guard direction == "credit" || direction == "debit" else {
            throw .unknownSign(type: String(direction.prefix(100)))
        }
        guard let text = text(of: json["amount"]) else { throw .missing(column: "amount") }
        let amount: SettlementAmount
        do throws(AmountProblem) {
            amount = try SettlementAmount(decimal: text, currency: currency)
        } catch {
            throw .amount(column: "amount", error)
        }
        guard amount.units >= 0 else { throw .contradictory(column: "amount") }
        return direction == "credit" ? amount : amount.negated
    }

    /// A number as it is written.
    private func text(of json: JSON?) -> String? {
        switch json {
        case .integer(let value): String(value)
        case .number(let text): text
        default: nil
        }
    }
}
