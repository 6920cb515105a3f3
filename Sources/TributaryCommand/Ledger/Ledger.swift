import ArgumentParser
import Domain
import Gateway
import SQL
import Storage
import StrictJSON

/// `tributary ledger`.
struct Ledger: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "See what is owed to merchants, and why; hold the books to their rules.",
        subcommands: [ShowStatement.self, ShowBalances.self, VerifyLedger.self, RollUpLedger.self]
    )
}

/// `tributary ledger balances`.
struct ShowBalances: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "balances",
        abstract: "Show what stands between the marketplace and its merchants, by merchant and currency.",
        discussion: """
            payable is owed to the merchant; below zero, the merchant owes it. receivable is commission that the merchant
            is invoiced, less what refunds returned; that invoices are paid is not known here.
            With --accounts, every account of the journal with its debits, its credits, and the former less the latter.
            """
    )

    @Flag(name: .long, help: "Show every account of the journal instead.")
    var accounts = false

    @OptionGroup var marketplace: MarketplaceOption
    @OptionGroup var database: DatabaseOptions
    @OptionGroup var output: FormatOption

    func run() async throws {
        let table = try await DatabaseUse.looking.open(database.settings()) { [marketplace, accounts] database in
            try await database.read { session in
                let owner = try marketplace.choose(in: session)
                return accounts
                    ? Self.table(try LedgerBalances.all(of: owner, in: session))
                    : Self.table(try StatementTable.balances(of: owner, in: session))
            }
        }
        output.write(table)
    }

    private static func table(_ balances: [MerchantBalance]) -> Table {
        var table = Table("external_identifier", "currency", "payable", "receivable", "merchant")
        for balance in balances {
            table.add(
                .text(balance.externalIdentifier),
                .text(balance.currency.code),
                .amount(balance.payable, balance.currency),
                .amount(balance.receivable, balance.currency),
                .text(balance.merchant.text)
            )
        }
        return table
    }

    private static func table(_ balances: [AccountBalance]) -> Table {
        var table = Table("account", "currency", "debits", "credits", "balance")
        for balance in balances {
            table.add(
                .text(balance.account),
                .text(balance.currency.code),
                .amount(balance.debits, balance.currency),
                .amount(balance.credits, balance.currency),
                .amount(balance.balance, balance.currency)
            )
        }
        return table
    }
}

/// `tributary ledger roll-up`.
struct RollUpLedger: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "roll-up",
        abstract: "Add up the hours that are over, so that balances need not be read out of the whole journal.",
        discussion: """
            `serve` does so by itself. An hour is closed 15 minutes after its end; what is posted later is posted behind
            it. Exits 1 if a transaction that began before still runs; then the rest is rolled up another time.
            """
    )

    @OptionGroup var marketplace: MarketplaceOption
    @OptionGroup var database: DatabaseOptions
    @OptionGroup var output: FormatOption

    func run() async throws {
        let (owner, progress) = try await DatabaseUse.looking.open(database.settings()) { [marketplace] database in
            let owner = try await database.read { session in try marketplace.choose(in: session) }
            let clocks = TestClocks(database: database, clock: try await DatabaseClock(database))
            let now = try await clocks.reading(of: owner).time
            return (owner, try await PeriodCloser(database: database).close(owner, at: now))
        }
        var table = Table("marketplace", "rolled_until", "hours")
        table.add(.text(owner), .moment(progress.rolledUntil), .integer(Int64(progress.periods)))
        output.write(table)
        if progress.isHeldUp {
            throw CommandFailure.finding("a transaction that began before still runs; try again later")
        }
    }
}

/// `tributary ledger verify`.
struct VerifyLedger: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Hold the books to their rules, by what is stored alone.",
        discussion: """
            Lists what breaks a rule, with what should be there and what is, and exits 4 if anything does. Goes through
            the books page by page, beside a server that may be running. With --from or --to: entries and hours posted in
            that time, orders placed or posted about in it, payouts recorded in it; running balances only without --to.

            The rules:
            \(LedgerRule.allCases.map { "  \($0.rawValue): \($0.explanation)" }.joined(separator: "\n"))

            Example:
              tributary ledger verify --from 2026-11-01 --to 2026-12-01 --time-zone Europe/Berlin --format csv
            """
    )

    @Option(
        name: .long,
        help: ArgumentHelp("The first moment; from the beginning unless said.", valueName: "time or date")
    )
    var from: String?

    @Option(name: .long, help: ArgumentHelp("The first moment behind it.", valueName: "time or date"))
    var to: String?

    @OptionGroup var zone: TimeZoneOption
    @OptionGroup var marketplace: MarketplaceOption
    @OptionGroup var database: DatabaseOptions
    @OptionGroup var output: FormatOption

    func validate() throws { _ = try period() }

    private func period() throws -> Range<Timestamp> {
        let begin = try from.map(zone.moment) ?? LedgerAudit.allTime.lowerBound
        let end = try to.map(zone.moment) ?? LedgerAudit.allTime.upperBound
        guard begin < end else { throw ValidationError("--to is later than --from") }
        return begin..<end
    }

    func run() async throws {
        let period = try period()
        var writer = FindingWriter(output.format)
        try await DatabaseUse.looking.open(database.settings()) { [marketplace] database in
            let owner = try await database.read { session in try marketplace.choose(in: session) }
            let walk = AuditWalk(audit: LedgerAudit(of: owner, in: period), name: \.rawValue)
            try await walk.go(through: LedgerAudit.Part.allCases, database) { findings in
                writer.write(findings)
                return true
            }
        }
        writer.end()
        guard writer.count > 0 else { return Console.note("The books keep every rule.") }
        throw CommandFailure.brokenBooks("the books break a rule in \(writer.count) places")
    }
}

/// Goes through parts of the books page by page, with a bar for each.
struct AuditWalk {
    let audit: LedgerAudit
    /// What each part's bar is called.
    let name: (LedgerAudit.Part) -> String

    /// Hands over what breaks a rule, page by page, as far as it is wanted.
    ///
    /// - Parameters:
    ///   - parts: the parts, in this order.
    ///   - database: where the books are.
    ///   - take: is given what a page has to tell; false says that the rest of the part is not wanted.
    /// - Throws: `SQLError`.
    func go(
        through parts: [LedgerAudit.Part],
        _ database: any Database,
        _ take: ([LedgerFinding]) -> Bool
    ) async throws {
        for part in parts {
            var bar = ProgressBar(name(part))
            defer { bar.hide() }
            if bar.isShown { bar.total = try await database.read { [audit] in try audit.size(of: part, in: $0) } }
            var place: LedgerAudit.Place?
            var isWanted = true
            repeat {
                let page = try await database.read { [audit, place] session in
                    try audit.page(part, after: place, in: session)
                }
                if !page.findings.isEmpty {
                    bar.hide()
                    isWanted = take(page.findings)
                }
                bar.advance(by: page.count)
                place = page.next
            } while place != nil && isWanted
        }
    }
}

/// Writes findings as they come, so that any number of them takes the memory of a page.
struct FindingWriter {
    /// How many rows of a table are aligned with each other.
    private static let tableLimit = 500

    /// How many were written.
    private(set) var count = 0
    private let format: OutputFormat
    private var table = Self.emptyTable
    private var hasHead = false

    private static var emptyTable: Table { Table("rule", "subject", "expected", "found") }

    init(_ format: OutputFormat) { self.format = format }

    /// Writes findings.
    mutating func write(_ findings: [LedgerFinding]) {
        for finding in findings {
            count += 1
            table.add(
                .text(finding.rule.rawValue),
                .text(finding.subject),
                .text(finding.expected),
                .text(finding.found)
            )
            if table.rows.count == Self.tableLimit { flush() }
        }
    }

    /// Writes what is left, and what ends the data.
    mutating func end() {
        flush()
        switch format {
        case .table: break
        case .json: Console.out(hasHead ? "]" : "[]")
        case .csv: if !hasHead { Console.out(table.csv) }
        }
    }

    private mutating func flush() {
        guard !table.rows.isEmpty else { return }
        switch format {
        case .table:
            // Many tables after one another have to stand under one head.
            let text = table.page(width: nil).text
            Console.out(hasHead ? Self.withoutHead(text) : text)
        case .json:
            let objects = table.json.arrayValue?.map(\.text) ?? []
            Console.out((hasHead ? "," : "[") + objects.joined(separator: ",\n"))
        case .csv: Console.out(hasHead ? Self.withoutHead(table.csv) : table.csv)
        }
        hasHead = true
        table = Self.emptyTable
    }

    private static func withoutHead(_ text: String) -> String {
        text.split(separator: "\n", maxSplits: 1).last.map(String.init) ?? ""
    }
}
