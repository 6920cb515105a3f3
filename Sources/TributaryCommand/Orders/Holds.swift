import ArgumentParser
import SQL
import Storage

/// `tributary holds`.
struct Holds: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "See what is held on cards.",
        subcommands: [ListHolds.self]
    )
}

/// `tributary holds list`.
struct ListHolds: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List what is authorized and neither captured nor released, and until when it can be."
    )

    @Option(name: .long, help: "How many orders at most.")
    var limit: ListLimit = .usual

    @OptionGroup var marketplace: MarketplaceOption
    @OptionGroup var database: DatabaseOptions
    @OptionGroup var output: FormatOption

    func run() async throws {
        let orders = try await DatabaseUse.looking.open(database.settings()) { [marketplace, limit] database in
            try await database.read { session in
                let owner = try marketplace.filter(in: session)
                return try OrderSearch.holding(marketplace: owner, limit: limit.count, in: session)
            }
        }
        output.write(Table(holdsOf: orders), orSaying: "Nothing is held.")
    }
}
