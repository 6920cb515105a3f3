import ArgumentParser
import Domain
import SQL
import Storage
import StrictJSON

/// `tributary webhooks show`.
struct ShowWebhook: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show one event of a PSP: where it stands, why, and what it says of payments.",
        discussion: "The body it came in is not kept, only its SHA-256. CSV has a line for each thing it says."
    )

    @OptionGroup var webhook: WebhookArgument
    @OptionGroup var database: DatabaseOptions
    @OptionGroup var output: FormatOption

    func run() async throws {
        let entry = try await DatabaseUse.looking.open(database.settings()) { [webhook] database in
            try await database.read { session in try webhook.load(in: session) }
        }
        let notices = Table(noticesOf: entry.document)
        switch output.format {
        case .table: Console.out(WebhookPage(entry).text)
        case .json:
            let members = Table(webhooks: [entry]).json[0]?.objectValue ?? []
            let rest: [JSON.Member] = [
                .init("body_sha256", .string(entry.bodyHash)),
                .init("merchant_account", .optional(entry.document.merchantAccount.name)),
                .init("notices", notices.json),
            ]
            Console.out(JSON.object(members + rest).prettyText)
        case .csv: output.write(notices)
        }
    }
}
