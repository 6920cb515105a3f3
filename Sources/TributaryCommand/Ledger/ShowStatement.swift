import ArgumentParser
import Domain
import SQL
import Storage

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
