import ArgumentParser
import Domain
import HTTPAPI
import SQL
import Storage
import StrictJSON

/// `tributary ledger statement`.
struct ShowStatement: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "statement",
        abstract: "Show what a merchant is owed in a currency, and what of a time brought it there.",
        discussion: """
            The current month unless said; --to is not in it any more. A posting counts when it was posted, so a time that
            is over keeps its statement. What PSPs pay the merchant directly is no part of the balance.
            The table has the sums; JSON and CSV have every line. Exits 4 if the statement does not add up.

            Example:
              tributary ledger statement airline-1 --currency USD --from 2026-11-01 --to 2026-12-01 --format csv
            """
    )

    @Argument(help: ArgumentHelp("The merchant's external identifier, or its id (mer_…).", valueName: "merchant"))
    var merchant: String

    @OptionGroup var currency: CurrencyOption

    @Option(name: .long, help: ArgumentHelp("The first moment.", valueName: "time or date"))
    var from: String?

    @Option(name: .long, help: ArgumentHelp("The first moment behind it.", valueName: "time or date"))
    var to: String?

    @OptionGroup var zone: TimeZoneOption
    @OptionGroup var marketplace: MarketplaceOption
    @OptionGroup var database: DatabaseOptions
    @OptionGroup var output: FormatOption

    func validate() throws {
        let moments = try [from, to].map { try $0.map(zone.moment) }
        if let from = moments[0], let to = moments[1], from >= to { throw ValidationError("--to is later than --from") }
    }

    func run() async throws {
        try await DatabaseUse.looking.open(database.settings()) { [self] database in
            let now = Timestamp(microseconds: try await database.now())
            try await database.read { [self] session in
                let owner = try marketplace.merchant(merchant, in: session)
                let statement = try StatementTable.statement(scope(of: owner, at: now), in: session)
                try StatementWriter(statement: statement, merchant: owner).write(as: output.format, in: session)
            }
        }
    }

    private func scope(of merchant: Merchant, at now: Timestamp) throws -> StatementScope {
        let month = try zone.month(of: now)
        let scope = StatementScope(
            marketplace: merchant.marketplace,
            merchant: merchant.id,
            currency: currency.currency,
            from: try from.map(zone.moment) ?? month.lowerBound,
            to: try to.map(zone.moment) ?? month.upperBound
        )
        guard let scope else { throw CommandFailure.unusable("--to is later than --from; they end at this month") }
        return scope
    }
}

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
