import ArgumentParser
import Domain
import SQL
import Storage

/// The event of a PSP that a command is about.
struct WebhookArgument: ParsableArguments {
    @Argument(help: ArgumentHelp("The event's id, as `tributary webhooks list` shows it.", valueName: "webhook"))
    var webhook: String

    /// There is no such event.
    var absence: CommandFailure { .finding("there is no webhook \(webhook.harmless)") }

    /// Reads the event.
    ///
    /// - Throws: ``CommandFailure`` if there is none, or `SQLError`.
    func load(in session: any Session) throws -> WebhookEntry {
        guard let id = WebhookID(webhook) else {
            throw CommandFailure.unusable(
                "\(webhook.harmless) is no webhook's id; `tributary webhooks list` shows those there are"
            )
        }
        guard let entry = try WebhookTable.find(id, in: session) else { throw absence }
        return entry
    }
}
