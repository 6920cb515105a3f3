import ArgumentParser
import Domain
import HTTPAPI
import SQL
import Storage
import StrictJSON

/// `tributary merchants list`.
struct ListMerchants: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List a marketplace's merchants, by external identifier."
    )

    @OptionGroup var marketplace: MarketplaceOption
    @OptionGroup var database: DatabaseOptions
    @OptionGroup var output: FormatOption

    func run() async throws {
        let merchants = try await DatabaseUse.looking.open(database.settings()) { [marketplace] database in
            try await database.read { session in
                try DeclarationStore.merchants(of: marketplace.choose(in: session), in: session)
            }
        }
        output.write(Table(merchants: merchants), json: .array(merchants.map(MerchantPresenter.json)))
    }
}
