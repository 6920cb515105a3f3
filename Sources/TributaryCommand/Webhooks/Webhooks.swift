import ArgumentParser

/// `tributary webhooks`.
struct Webhooks: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "See what PSPs told by webhook, and let it be told to its order again.",
        subcommands: [ListWebhooks.self, ShowWebhook.self, ReplayWebhook.self]
    )
}
