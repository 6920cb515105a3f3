import ArgumentParser

/// `tributary apple-pay hashes`.
struct MerchantHashes: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hashes",
        abstract: "See and settle whose the hashes in multi-merchant tokens are.",
        discussion: """
            The responses in a multi-merchant token name their merchants by hashes whose formula Apple does not publish.
            Every hash seen is recorded with the merchant identifiers that its amount allowed. A row decides nothing
            until it is confirmed; where two merchants' amounts are equal, only confirmed rows tell them apart.
            """,
        subcommands: [ListHashes.self, ConfirmHash.self, RejectHash.self]
    )
}
