import ArgumentParser
import Domain
import Foundation
import Gateway
import HTTPAPI
import SQL
import Settings
import Storage
import Wiring

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

    @Option(name: .long, help: "Where it can be seen.")
    var evidence: String

    @Option(name: .long, help: "Why nothing is left to do.")
    var reason: String

    @OptionGroup var database: DatabaseOptions

    mutating func validate() throws {
        if evidence.isEmpty || reason.isEmpty { throw ValidationError("--evidence and --reason say something") }
        evidence = try TextRule.freeText.checked(evidence, "--evidence")
        reason = try TextRule.freeText.checked(reason, "--reason")
    }

    func run() async throws {
        let settings = try database.settings()
        let (before, after) = try await DatabaseUse.looking.open(settings) { [webhook, evidence, reason] database in
            let before = try await database.read { session in try webhook.load(in: session) }
            let orders = Gateway.Orders.remote(
                database: database,
                clock: try await DatabaseClock(database),
                rules: settings.timings.orderTimings,
                capabilities: AdapterCatalog.psps.mapValues(\.capabilities),
                instance: "command-" + String(UInt64.random(in: .min ... .max), radix: 36),
                presentation: OrderPresenter.presentation
            )
            let testimony = OrderRequest.Evidence(evidence: evidence, reason: reason, by: NSUserName())
            return (before, try await orders.dismiss(before.id, testimony))
        }
        guard before.state == .problem, let after else {
            throw CommandFailure.finding("\(before.id) is \(before.state.rawValue): there is nothing to dismiss")
        }
        Console.note("\(after.id) was a problem and is \(after.state.rawValue)")
    }
}
