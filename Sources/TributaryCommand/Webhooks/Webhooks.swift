import ArgumentParser

/// `tributary webhooks`.
struct Webhooks: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "See what PSPs told by webhook, and let it be told to its order again, or say that it was seen to.",
        subcommands: [ListWebhooks.self, ShowWebhook.self, ReplayWebhook.self, DismissWebhook.self]
    )
}
