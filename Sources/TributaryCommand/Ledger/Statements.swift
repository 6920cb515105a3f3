import ArgumentParser
import Domain
import Gateway
import HTTPAPI
import Printing
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
            The table has the sums; the other formats have every line: csv for spreadsheets, camt053 for accounting programs,
            html and pdf for print. Days and times of these are those of --time-zone. Exits 4 if the statement does not add up.

            Example:
              tributary ledger statement airline-1 --currency USD --from 2026-11-01 --to 2026-12-01 --format csv
              tributary ledger statement airline-1 --currency EUR --time-zone Europe/Berlin --format pdf > statement.pdf
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

    @Option(name: .long, help: "How to write it: table, json, csv, camt053, html or pdf.")
    var format: StatementFormat = .table

    func validate() throws {
        let moments = try [from, to].map { try $0.map(zone.moment) }
        if let from = moments[0], let to = moments[1], from >= to { throw ValidationError("--to is later than --from") }
    }

    func run() async throws {
        guard let calendar = await TimeZones.calendar(of: zone.timeZone) else {
            throw CommandFailure.unusable("this machine has no tz database entry \(zone.timeZone.harmless)")
        }
        try await DatabaseUse.looking.open(database.settings()) { [self] database in
            let real = Timestamp(microseconds: try await database.now())
            try await database.read { [self] session in
                let owner = try marketplace.merchant(merchant, in: session)
                let now = try TestClockTable.clock(of: owner.marketplace, in: session)?.time(at: real) ?? real
                let rows = try session.rows(MarketplaceTable.named(owner.marketplace))
                guard let tenant = try MarketplaceTable.read(rows).first else { throw DirectoryRefusal.noMarketplace }
                let statement = try StatementTable.statement(scope(of: owner, at: now), in: session)
                let paper = StatementPaper(statement, of: owner, from: tenant, in: calendar, madeAt: now)
                try StatementWriter(paper: paper).write(as: format, in: session)
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

/// How a statement is written.
enum StatementFormat: String, CaseIterable, ExpressibleByArgument {
    /// Its sums in aligned columns.
    case table
    /// JSON; amounts as integers in minor units.
    case json
    /// Comma-separated values for spreadsheets; amounts as decimal numbers, a row a movement.
    case csv
    /// camt.053 of ISO 20022.
    case camt053
    /// A page made for print.
    case html
    /// The same as PDF.
    case pdf
}

/// Writes a statement as it is read: the lines page by page, out of one snapshot.
struct StatementWriter {
    /// How many lines are taken into memory at once.
    private static let pageSize = 1000

    let paper: StatementPaper

    private var statement: Statement { paper.statement }
    private var merchant: Merchant { paper.merchant }

    /// Writes it to standard output.
    ///
    /// - Throws: `SQLError`, `PDFPage.Failure`, or ``CommandFailure`` if it is too long.
    func write(as format: StatementFormat, in session: any Session) throws {
        switch format {
        case .table: writeTable()
        case .json: try writeJSON(in: session)
        case .csv: try writeCSV(in: session)
        case .camt053:
            guard let lines = try lines(StatementPaper.camtLimit, in: session) else {
                let limit = StatementPaper.camtLimit
                throw CommandFailure.unusable("the time has more than \(limit) movements; ask for a shorter one")
            }
            Console.out(bytes: StatementCamt.text(paper, lines).utf8)
        case .html: Console.out(bytes: HTMLPage.text(try document(in: session)).utf8)
        case .pdf: Console.out(bytes: try PDFPage.bytes(document(in: session)))
        }
    }

    private func document(in session: any Session) throws(SQLError) -> PrintedDocument {
        paper.document(try lines(StatementPaper.printLimit, in: session))
    }

    /// All lines; nil if there are more than `limit`.
    private func lines(_ limit: Int, in session: any Session) throws(SQLError) -> [StatementLine]? {
        let lines = try StatementTable.lines(statement.scope, after: nil, limit: limit + 1, in: session)
        return lines.count > limit ? nil : lines
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
        let head = StatementPresenter.json(statement, of: merchant, in: paper.calendar).text.dropLast()
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
        var csv = StatementCSV(statement, in: paper.calendar)
        Console.out(bytes: csv.head.utf8)
        try eachPage(in: session) { lines in Console.out(bytes: csv.rows(lines).utf8) }
        Console.out(bytes: csv.foot(closing: statement.closing).utf8)
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
