import ArgumentParser
import Domain
import SQL
import Storage

/// `tributary webhooks replay`.
struct ReplayWebhook: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Let an event be told to its order again, by the next serving instance that looks.",
        discussion: "What the order has heard once changes nothing the second time."
    )

    @OptionGroup var webhook: WebhookArgument
    @OptionGroup var database: DatabaseOptions

    func run() async throws {
        let entry = try await DatabaseUse.looking.open(database.settings()) { [webhook] database in
            let now = Timestamp(microseconds: try await database.now())
            return try await database.write { session in
                let entry = try webhook.load(in: session)
                guard try WebhookTable.replay(entry.id, at: now, in: session) else { throw webhook.absence }
                return entry
            }
        }
        Console.note("\(entry.id) was \(entry.state.rawValue) and is due again")
    }
}
