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
            Lists what breaks a rule, at most 100 of each that a question finds, and exits 4 if anything does. The rules:
            \(LedgerFinding.Rule.allCases.map(\.rawValue).joined(separator: ", ")).
            """
    )

    /// How many orders are looked at in one transaction.
    private static let pageSize = 200

    @OptionGroup var marketplace: MarketplaceOption
    @OptionGroup var database: DatabaseOptions
    @OptionGroup var output: FormatOption

    func run() async throws {
        let findings = try await DatabaseUse.looking.open(database.settings()) { [marketplace] database in
            let owner = try await database.read { session in try marketplace.choose(in: session) }
            return try await Self.findings(of: owner, in: database)
        }
        var table = Table("rule", "subject")
        for finding in findings { table.add(.text(finding.rule.rawValue), .text(finding.subject)) }
        output.write(table)
        guard !findings.isEmpty else { return Console.note("The books keep every rule.") }
        throw CommandFailure.brokenBooks("the books break a rule in \(findings.count) places")
    }

    private static func findings(of marketplace: String, in database: any Database) async throws -> [LedgerFinding] {
        var findings = try await database.read { session in
            try LedgerAudit.findings(of: marketplace, in: session)
        }
        var last: OrderID?
        repeat {
            let place = last
            let page = try await database.read { session in
                try LedgerAudit.findings(of: marketplace, ordersAfter: place, count: pageSize, in: session)
            }
            findings += page.findings
            last = page.last
        } while last != nil
        return findings
    }
}
