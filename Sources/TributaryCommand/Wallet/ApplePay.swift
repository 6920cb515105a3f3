import ArgumentParser

/// `tributary apple-pay`.
struct ApplePay: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "apple-pay",
        abstract: "Open Apple Pay tokens.",
        subcommands: [OpenApplePay.self, MerchantHashes.self]
    )
}
