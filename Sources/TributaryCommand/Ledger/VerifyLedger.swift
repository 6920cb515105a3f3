import ArgumentParser
import Domain
import SQL
import Storage

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
            try await Self.audit(LedgerAudit(of: owner, in: period), database, &writer)
        }
        writer.end()
        guard writer.count > 0 else { return Console.note("The books keep every rule.") }
        throw CommandFailure.brokenBooks("the books break a rule in \(writer.count) places")
    }

    private static func audit(
        _ audit: LedgerAudit,
        _ database: any Database,
        _ writer: inout FindingWriter
    ) async throws {
        for part in LedgerAudit.Part.allCases {
            var bar = ProgressBar(part.rawValue)
            if bar.isShown { bar.total = try await database.read { try audit.size(of: part, in: $0) } }
            var place: LedgerAudit.Place?
            repeat {
                let last = place
                let page = try await database.read { session in try audit.page(part, after: last, in: session) }
                if !page.findings.isEmpty { bar.hide() }
                writer.write(page.findings)
                bar.advance(by: page.count)
                place = page.next
            } while place != nil
            bar.hide()
        }
    }
}
