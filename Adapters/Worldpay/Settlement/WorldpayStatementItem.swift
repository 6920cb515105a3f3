import AdapterKit
import Domain
import StrictJSON

/// One item of an account's statement.
struct WorldpayStatementItem {
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
