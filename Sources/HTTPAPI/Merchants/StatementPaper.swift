package import Domain
package import Printing
package import Storage

/// A statement as it is handed out: with whose days it has, who it is from and whom it is for.
package struct StatementPaper: Sendable {
    /// The most movements that are printed; more are left to the files for spreadsheets.
    package static let printLimit = 2_000
    /// The most movements that camt.053 has in one file.
    package static let camtLimit = 20_000

    /// The statement.
    package let statement: Statement
    /// Whom it is for.
    package let merchant: Merchant
    /// Who it is from.
    package let marketplace: MarketplaceTable.Marketplace
    /// Whose days it has.
    package let calendar: LocalCalendar
    /// When it is handed out.
    package let madeAt: Timestamp

    /// Gathers it.
    package init(
        _ statement: Statement,
        of merchant: Merchant,
        from marketplace: MarketplaceTable.Marketplace,
        in calendar: LocalCalendar,
        madeAt: Timestamp
    ) {
        self.statement = statement
        self.merchant = merchant
        self.marketplace = marketplace
        self.calendar = calendar
        self.madeAt = madeAt
    }

    /// The currency.
    var currency: Currency { statement.scope.currency }

    /// The first and the last day, the last one of what has come already.
    package var days: ClosedRange<CalendarDay> {
        let first = calendar.day(of: statement.scope.from)
        let last = calendar.day(of: Timestamp(microseconds: min(statement.scope.to, madeAt).microseconds - 1))
        return first...max(first, last)
    }

    /// The name of its file without an ending: `statement-Skyways-USD-2026-11-01-2026-11-30`.
    package var fileName: String {
        let last = calendar.day(of: Timestamp(microseconds: statement.scope.to.microseconds - 1))
        return "statement-\(merchant.name)-\(currency)-\(days.lowerBound)-\(last)"
    }

    /// The statement for print, with its movements, which are nil if there are more than ``printLimit``.
    package func document(_ lines: [StatementLine]?) -> PrintedDocument {
        var blocks: [PrintedDocument.Block] = [
            .parties([
                Paper.party("From", marketplace.profile.legal, else: marketplace.name),
                Paper.party("For", merchant.profile.legal, else: merchant.name),
            ]),
            .facts([
                .init("Merchant", merchant.externalIdentifier), .init("Currency", currency.code),
                .init("Period", "\(days.lowerBound) to \(days.upperBound) (\(calendar.zone))"),
                .init("Issued", calendar.text(of: madeAt)),
            ]),
            .heading("Balance"), .table(sums),
        ]
        if !statement.amounts.direct.isEmpty {
            blocks += [.heading("Paid by the payment provider directly (not in the balance)"), .table(direct)]
        }
        blocks.append(.heading("Movements"))
        if let lines {
            blocks.append(lines.isEmpty ? .note("None.") : .table(movements(lines)))
        } else {
            blocks.append(.note("More than \(Self.printLimit); the same statement as CSV has all of them."))
        }
        return PrintedDocument(
            title: "Statement \(merchant.name)",
            created: madeAt.wholeSeconds,
            blocks: blocks
        )
    }

    private var sums: PrintedDocument.Table {
        var rows = [PrintedDocument.Table.Row(["Opening balance", currency.decimal(statement.opening)], isSum: true)]
        for item in StatementItem.allCases {
            guard let amount = statement.amounts.balance[item] else { continue }
            rows.append(.init([Paper.words(item.rawValue), currency.decimal(amount)]))
        }
        rows.append(.init(["Closing balance", currency.decimal(statement.closing)], isSum: true))
        return .init(columns: [.init("Item", weight: 3), .init(currency.code, isNumeric: true)], rows: rows)
    }

    private var direct: PrintedDocument.Table {
        let rows = DirectItem.allCases.compactMap { item in
            statement.amounts.direct[item].map { amount in
                PrintedDocument.Table.Row([Paper.words(item.rawValue), currency.decimal(amount)])
            }
        }
        return .init(columns: [.init("Item", weight: 3), .init(currency.code, isNumeric: true)], rows: rows)
    }

    private func movements(_ lines: [StatementLine]) -> PrintedDocument.Table {
        var balance = statement.opening
        let rows = lines.map { line in
            balance += line.amounts.net
            let columns = StatementColumns(line.amounts)
            return PrintedDocument.Table.Row([
                calendar.day(of: line.at).description, Paper.words(line.kind.rawValue),
                line.reference ?? line.payment?.text ?? line.payout?.text ?? line.entry.text,
                currency.decimal(columns.amount), currency.decimal(columns.taken), currency.decimal(line.amounts.net),
                currency.decimal(balance),
            ])
        }
        return .init(
            columns: [
                .init("Date", weight: 1.1), .init("Movement", weight: 1.3), .init("Reference", weight: 2.6),
                .init("Amount", weight: 1.2, isNumeric: true), .init("Taken off", weight: 1.1, isNumeric: true),
                .init("Net", weight: 1.2, isNumeric: true), .init("Balance", weight: 1.2, isNumeric: true),
            ],
            rows: rows
        )
    }
}

/// What every document for print has alike.
enum Paper {
    /// A party by its legal identity, or by its name where none is declared.
    static func party(
        _ role: String,
        _ legal: BusinessProfile.LegalEntity?,
        else name: String
    ) -> PrintedDocument.Party {
        guard let legal else { return .init(role: role, lines: [name]) }
        let rest = [legal.country, legal.taxID.map { "Tax ID \($0)" }].compactMap(\.self)
        return .init(role: role, lines: [legal.name] + legal.address + rest)
    }

    /// The words of a name in snake case: `Commission tax`.
    static func words(_ name: String) -> String {
        var bytes = name.utf8.map { $0 == UInt8(ascii: "_") ? UInt8(ascii: " ") : $0 }
        if let first = bytes.first, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first) { bytes[0] = first & ~0x20 }
        return String(decoding: bytes.prefix(64), as: UTF8.self)
    }
}
