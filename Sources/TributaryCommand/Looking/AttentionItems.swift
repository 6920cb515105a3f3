import ArgumentParser

/// `tributary attention`.
struct AttentionItems: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "attention",
        abstract: "See what waits for a person.",
        subcommands: [ListAttention.self]
    )
}
