import ArgumentParser
import Domain
import HTTPAPI
import SQL
import Storage
import StrictJSON

/// `tributary merchants show`.
struct ShowMerchant: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show a merchant, its commission and its routes.",
        discussion: "CSV has a line for each route. Exits 1 if there is no such merchant."
    )

    @Argument(
        help: ArgumentHelp("The merchant's external identifier, or its id (mer_…).", valueName: "merchant")
    )
    var merchant: String

    @OptionGroup var marketplace: MarketplaceOption
    @OptionGroup var database: DatabaseOptions
    @OptionGroup var output: FormatOption

    func run() async throws {
        let found = try await DatabaseUse.looking.open(database.settings()) { [marketplace, merchant] database in
            try await database.read { session in try marketplace.merchant(merchant, in: session) }
        }
        let routes = Table(routesOf: found)
        switch output.format {
        case .table: Console.out("\(Table(merchants: [found]).text)\n\nRoutes\n\(routes.text)")
        case .json: Console.out(MerchantPresenter.json(found).prettyText)
        case .csv: output.write(routes)
        }
    }
}
