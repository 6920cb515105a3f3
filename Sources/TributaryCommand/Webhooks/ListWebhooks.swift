import ArgumentParser
import SQL
import Storage

/// `tributary webhooks list`.
struct ListWebhooks: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List what PSPs told by webhook, newest first.",
        discussion: """
            An event is `received`, `applied` to its order, `parked` while it is about nothing that is known, \
            `unrelated` if it stayed so for a day, `ignored` if it says nothing of payments, or a `problem` if a \
            person has to look. How many are parked, unrelated or a problem stands behind the list.

            Example:
              tributary webhooks list --state problem
            """
    )

    @Option(name: .long, help: ArgumentHelp("Only events in this state.", valueName: "state"))
    var state: WebhookEntry.State?

    @Option(name: .long, help: ArgumentHelp("Only events that came to this PSP account.", valueName: "id"))
    var pspAccount: String?

    @Option(name: .long, help: "How many at most.")
    var limit: ListLimit = .usual

    @OptionGroup var marketplace: MarketplaceOption
    @OptionGroup var database: DatabaseOptions
    @OptionGroup var output: FormatOption

    func run() async throws {
        let found = try await DatabaseUse.looking.open(database.settings()) {
            [marketplace, state, pspAccount, limit] database in
            try await database.read { session in
                var filter = WebhookTable.Filter(marketplace: try marketplace.filter(in: session))
                filter.state = state
                filter.account = pspAccount
                return (
                    entries: try WebhookTable.list(filter, limit: limit.count, in: session),
                    amiss: try WebhookTable.countAmiss(marketplace: filter.marketplace, in: session)
                )
            }
        }
        output.write(Table(webhooks: found.entries))
        let counts = found.amiss.sorted { $0.key.rawValue < $1.key.rawValue }.map { "\($0.value) \($0.key.rawValue)" }
        if !counts.isEmpty { Console.note("in all: " + counts.joined(separator: ", ")) }
    }
}

extension WebhookEntry.State: ExpressibleByArgument {}
