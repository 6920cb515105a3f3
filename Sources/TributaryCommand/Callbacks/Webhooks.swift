import ArgumentParser
import Domain
import Foundation
import Gateway
import HTTPAPI
import SQL
import Settings
import Storage
import StrictJSON
import Wiring

/// `tributary webhooks`.
struct Webhooks: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "See what PSPs told by webhook, and let it be told to its order again, or say that it was seen to.",
        subcommands: [ListWebhooks.self, ShowWebhook.self, ReplayWebhook.self, DismissWebhook.self]
    )
}

/// The event of a PSP that a command is about.
struct WebhookArgument: ParsableArguments {
    @Argument(help: ArgumentHelp("The event's id, as `tributary webhooks list` shows it.", valueName: "webhook"))
    var webhook: String

    /// There is no such event.
    var absence: CommandFailure { .finding("there is no webhook \(webhook.harmless)") }

    /// The event's identifier.
    ///
    /// - Throws: ``CommandFailure`` for what is none.
    func id() throws -> WebhookID {
        guard let id = WebhookID(webhook) else {
            throw CommandFailure.unusable(
                "\(webhook.harmless) is no webhook's id; `tributary webhooks list` shows those there are"
            )
        }
        return id
    }

    /// Reads the event.
    ///
    /// - Throws: ``CommandFailure`` if there is none, or `SQLError`.
    func load(in session: any Session) throws -> WebhookEntry {
        guard let entry = try WebhookTable.find(try id(), in: session) else { throw absence }
        return entry
    }
}

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
        output.write(Table(webhooks: found.entries), orSaying: "There are no such webhooks.")
        let counts = found.amiss.sorted { $0.key.rawValue < $1.key.rawValue }.map { "\($0.value) \($0.key.rawValue)" }
        if !counts.isEmpty { Console.note("in all: " + counts.joined(separator: ", ")) }
    }
}

extension WebhookEntry.State: ExpressibleByArgument {}

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

/// `tributary webhooks replay`.
struct ReplayWebhook: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Let an event be told to its order again, by the next serving instance that looks.",
        discussion: "What the order has heard once changes nothing the second time."
    )

    @OptionGroup var webhook: WebhookArgument
    @OptionGroup var acting: ActingOptions

    func run() async throws {
        let id = try webhook.id()
        let state = try await acting.act { settings in
            try await DatabaseUse.looking.open(settings) { [webhook] database in
                let now = Timestamp(microseconds: try await database.now())
                guard let entry = try await WebhookReplay(database, by: .commandLine).replay(id, at: now) else {
                    throw webhook.absence
                }
                return entry.state.rawValue
            }
        } remotely: { server in
            let before = try await server.get("/v1/psp-webhooks/\(id)", orSaying: webhook.absence)
            try await server.post("/v1/psp-webhooks/\(id)/replay", orSaying: webhook.absence)
            return before.text("status")
        }
        Console.note("\(id) was \(state) and is due again")
    }
}

/// `tributary webhooks dismiss`.
struct DismissWebhook: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dismiss",
        abstract: "Say that a webhook that could not be told to its order has been seen to.",
        discussion: """
            For an event that will never be told: after what it says was entered with `orders record-refund`, \
            `record-dispute` and the like, or because it is about nothing of ours. Until then it is kept and stands in \
            `attention list`. If the cause can be mended, mend it and use `webhooks replay` instead.
            """
    )

    @OptionGroup var webhook: WebhookArgument

    @OptionGroup var evidence: EvidenceOptions

    @OptionGroup var acting: ActingOptions

    func run() async throws {
        let id = try webhook.id()
        let state = try await acting.act { settings in
            try await dismiss(settings)
        } remotely: { server in
            let body = JSON.object(evidence.value.members)
            return try await server.post("/v1/psp-webhooks/\(id)/dismiss", body, orSaying: webhook.absence).json
                .text("status")
        }
        Console.note("\(id) was a problem and is \(state)")
    }

    private func dismiss(_ settings: ServerSettings) async throws -> String {
        let (before, after) = try await DatabaseUse.looking.open(settings) { [webhook, evidence] database in
            let before = try await database.read { session in try webhook.load(in: session) }
            let orders = try await Gateway.Orders.command(database, settings)
            return (before, try await orders.dismiss(before.id, evidence.value, by: .commandLine))
        }
        guard before.state == .problem, let after else {
            throw CommandFailure.finding("\(before.id) is \(before.state.rawValue): there is nothing to dismiss")
        }
        return after.state.rawValue
    }
}
