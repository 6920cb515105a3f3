import ArgumentParser
import SQL
import Storage

/// `tributary attention list`.
struct ListAttention: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List what waits for a person, the longest first, with the amount at risk.",
        discussion: "Exits 1 if there is anything, so that a scheduler can ask."
    )

    @Option(name: .long, help: "How many orders at most.")
    var limit: ListLimit = .usual

    @OptionGroup var marketplace: MarketplaceOption
    @OptionGroup var database: DatabaseOptions
    @OptionGroup var output: FormatOption

    func run() async throws {
        let found = try await DatabaseUse.looking.open(database.settings()) { [marketplace, limit] database in
            try await database.read { session in
                let owner = try marketplace.filter(in: session)
                return (
                    orders: try OrderSearch.needingAttention(marketplace: owner, limit: limit.count, in: session),
                    hashes: try MerchantHashTable.contradicted(of: owner, limit: limit.count, in: session),
                    endpoints: try CallbackEndpointTable.all(of: owner, in: session),
                    callbacks: try CallbackStatistics.counts(of: owner, in: session),
                    strays: try WebhookTable.strays(of: owner, in: session),
                    unreadable: try OrderSearch.unreadableNeedingAttention(
                        marketplace: owner,
                        limit: limit.count,
                        in: session
                    ),
                    failing: try StepFailures.list(marketplace: owner, limit: limit.count, in: session)
                )
            }
        }
        var table = Table(attentionOf: found.orders)
        table.add(failing: found.failing)
        table.add(unreadable: found.unreadable, told: found.failing)
        table.add(contradicted: found.hashes)
        table.add(deserted: found.endpoints, found.callbacks)
        table.add(strays: found.strays)
        output.write(table)
        guard table.rows.isEmpty else { throw ExitCode(1) }
    }
}
