import ArgumentParser

/// `tributary secrets`.
struct SecretCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "secrets",
        abstract: "Replace what callbacks are signed with.",
        subcommands: [RotateSecret.self]
    )
}
