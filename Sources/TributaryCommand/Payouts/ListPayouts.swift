import ArgumentParser
import Domain
import SQL
import Storage

/// `tributary payouts list`.
struct ListPayouts: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List what merchants were paid, the latest record first."
    )

    @Option(name: .long, help: ArgumentHelp("Only what this merchant was paid.", valueName: "merchant"))
    var merchant: String?

    @Option(name: .long, help: "How many at most.")
    var limit: ListLimit = .usual

    @OptionGroup var marketplace: MarketplaceOption
    @OptionGroup var database: DatabaseOptions
    @OptionGroup var output: FormatOption

    func run() async throws {
        let (payouts, names) = try await DatabaseUse.looking.open(database.settings()) {
            [marketplace, merchant, limit] database in
            try await database.read { session in
                var filter = PayoutTable.Filter(marketplace: try marketplace.filter(in: session))
                if let merchant {
                    let owner = try marketplace.merchant(merchant, in: session)
                    filter.marketplace = owner.marketplace
                    filter.merchant = owner.id
                }
                let payouts = try PayoutTable.list(filter, limit: limit.count, in: session)
                return (payouts, try MerchantTable.names(of: Set(payouts.map(\.merchant)), in: session))
            }
        }
        output.write(Table(payouts: payouts, names: names))
    }
}
