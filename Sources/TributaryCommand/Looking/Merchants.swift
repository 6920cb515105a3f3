import ArgumentParser

/// `tributary merchants`.
struct Merchants: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List, show, pause and resume merchants.",
        subcommands: [ListMerchants.self, ShowMerchant.self, PauseMerchant.self, ResumeMerchant.self]
    )
}
