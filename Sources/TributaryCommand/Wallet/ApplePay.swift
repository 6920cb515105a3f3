import ArgumentParser

/// `tributary apple-pay`.
struct ApplePay: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "apple-pay",
        abstract: "Open Apple Pay tokens, and settle whose the hashes in them are.",
        subcommands: [MerchantHashes.self]
    )
}
