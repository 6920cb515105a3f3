import AdapterKit
package import Domain

/// Writes statements as comma-separated values: cells as `CSVCell` has them, lines ended by a line feed.
///
/// A row for each amount of each line, between a row with the opening and one with the closing balance: the amounts of
/// the section `balance` come to the closing balance, those of the section `direct` are not in it.
package enum StatementCSV {
    private static let columns = [
        "at", "section", "item", "amount", "currency", "entry", "kind", "order", "payment", "refund", "dispute",
        "payout", "reference", "psp_reference", "paid_at",
    ]

    /// The columns' names and the opening balance.
    package static func head(_ statement: Statement) -> String {
        row(columns.map(CSVCell.text))
            + balance("opening_balance", statement.opening, at: statement.scope.from, statement)
    }

    /// The closing balance.
    package static func foot(_ statement: Statement, closing: Int64) -> String {
        balance("closing_balance", closing, at: statement.scope.to, statement)
    }

    /// The rows of lines.
    package static func text(_ lines: [StatementLine], in currency: Currency) -> String {
        lines.reduce(into: "") { text, line in
            for item in StatementItem.allCases {
                guard let amount = line.amounts.balance[item] else { continue }
                text += row(amounts(line, "balance", item.rawValue, amount, currency) + source(line))
            }
            for item in DirectItem.allCases {
                guard let amount = line.amounts.direct[item] else { continue }
                text += row(amounts(line, "direct", item.rawValue, amount, currency) + source(line))
            }
        }
    }

    private static func amounts(
        _ line: StatementLine,
        _ section: String,
        _ item: String,
        _ amount: Int64,
        _ currency: Currency
    ) -> [CSVCell] {
        [.text("\(line.at)"), .text(section), .text(item), .number(amount), .text(currency.code)]
    }

    private static func source(_ line: StatementLine) -> [CSVCell] {
        [
            line.entry.text, line.kind.rawValue, line.order?.text ?? "", line.payment?.text ?? "",
            line.refund?.text ?? "", line.dispute?.text ?? "", line.payout?.text ?? "", line.reference ?? "",
            line.pspReference ?? "", line.paidAt?.description ?? "",
        ].map(CSVCell.text)
    }

    private static func balance(_ item: String, _ amount: Int64, at time: Timestamp, _ statement: Statement) -> String {
        let currency = statement.scope.currency.code
        let cells = [.text("\(time)"), .text("balance"), .text(item), .number(amount), CSVCell.text(currency)]
        return row(cells + Array(repeating: .text(""), count: columns.count - cells.count))
    }

    private static func row(_ cells: [CSVCell]) -> String { CSVCell.line(cells) + "\n" }
}
