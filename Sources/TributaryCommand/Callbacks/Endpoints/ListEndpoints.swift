import ArgumentParser
import Domain
import SQL
import Storage

/// `tributary callbacks endpoints`.
struct ListEndpoints: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "endpoints",
        abstract: "List endpoints, how deliveries go there and what waits, without their secrets.",
        discussion: """
            An endpoint without a merchant is the marketplace's own. One that fails is tried again after 5s, then every
            5m; one that is disabled (`gone`: it answered 410; `undeclared`: `apply --prune`) is not tried until
            `callbacks enable`, and keeps what waits for it for 30 days.
            """
    )

    @OptionGroup var marketplace: MarketplaceOption
    @OptionGroup var database: DatabaseOptions
    @OptionGroup var output: FormatOption

    func run() async throws {
        let table = try await DatabaseUse.looking.open(database.settings()) { [marketplace] database in
            try await database.read { session in
                let owner = try marketplace.filter(in: session)
                let endpoints = try CallbackEndpointTable.all(of: owner, in: session)
                return Table(
                    endpoints: endpoints,
                    names: try MerchantNames.of(endpoints, in: session),
                    counts: try CallbackStatistics.counts(of: owner, in: session)
                )
            }
        }
        output.write(table)
    }
}
