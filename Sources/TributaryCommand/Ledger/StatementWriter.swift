import Domain
import HTTPAPI
import SQL
import Storage
import StrictJSON

/// Writes a statement as it is read: the lines page by page, out of one snapshot.
struct StatementWriter {
    /// How many lines are taken into memory at once.
    private static let pageSize = 1000

    let statement: Statement
    let merchant: Merchant

    /// Writes it to standard output.
    ///
    /// - Throws: `SQLError`.
    func write(as format: OutputFormat, in session: any Session) throws {
        switch format {
        case .table: writeTable()
        case .json: try writeJSON(in: session)
        case .csv: try writeCSV(in: session)
        }
    }

    private func writeTable() {
        let currency = statement.scope.currency
        var balance = Table("item", "amount")
        balance.add(.text("opening"), .amount(statement.opening, currency))
        for item in StatementItem.allCases {
            balance.add(.text(item.rawValue), .amount(statement.amounts.balance[item, default: 0], currency))
        }
        balance.add(.text("closing"), .amount(statement.closing, currency))
        Console.out(
            "\(merchant.name.harmless) (\(merchant.externalIdentifier.harmless)), \(currency), "
                + "\(statement.scope.from) to \(statement.scope.to)\n\n\(balance.text)"
        )
        Console.note("psp_fees are those of the settlement files taken in so far.")
        guard !statement.amounts.direct.isEmpty else { return }
        var direct = Table("paid_by_psp_directly", "amount")
        for item in DirectItem.allCases {
            direct.add(.text(item.rawValue), .amount(statement.amounts.direct[item, default: 0], currency))
        }
        Console.out("\n" + direct.text)
    }

    /// One object, a line of text for each line of the statement.
    private func writeJSON(in session: any Session) throws {
        let head = StatementPresenter.json(statement, of: merchant).text.dropLast()
        Console.out(head + ",\"lines\":[")
        var separator = ""
        try eachPage(in: session) { lines in
            let texts = lines.map { StatementPresenter.json($0).text }
            Console.out(separator + texts.joined(separator: ",\n"))
            separator = ","
        }
        Console.out("]}")
    }

    private func writeCSV(in session: any Session) throws {
        let currency = statement.scope.currency
        Console.out(String(StatementCSV.head(statement).dropLast()))
        try eachPage(in: session) { lines in
            Console.out(String(StatementCSV.text(lines, in: currency).dropLast()))
        }
        Console.out(String(StatementCSV.foot(statement, closing: statement.closing).dropLast()))
    }

    /// Hands over the lines, some at a time and never none.
    private func eachPage(in session: any Session, _ take: ([StatementLine]) -> Void) throws {
        var place: StatementLine.Place?
        while true {
            let lines = try StatementTable.lines(statement.scope, after: place, limit: Self.pageSize, in: session)
            if !lines.isEmpty { take(lines) }
            guard lines.count == Self.pageSize else { return }
            place = lines.last?.place
        }
    }
}
