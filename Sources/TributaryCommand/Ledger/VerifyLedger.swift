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
