import ArgumentParser

/// `tributary merchants`.
struct Merchants: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List and show merchants.",
        subcommands: [ListMerchants.self, ShowMerchant.self]
    )
}
