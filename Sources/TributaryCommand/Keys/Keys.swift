import ArgumentParser

/// `tributary keys`.
struct Keys: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Create, list and revoke API keys.",
        subcommands: [CreateKey.self, ListKeys.self, RevokeKey.self]
    )
}
