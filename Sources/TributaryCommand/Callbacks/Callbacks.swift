import ArgumentParser

/// `tributary callbacks`.
struct CallbackCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "callbacks",
        abstract: "See what the marketplace and merchants are told, deliver it again, and look after their endpoints.",
        discussion: """
            A callback is written down in the transaction whose state it tells, and delivered by serving instances
            under the same identifier each time until its endpoint answers with 2xx: at once, then after 5s, 5m, 30m,
            2h, 5h, 10h, 14h, 20h and 24h. What was refused ten times is a dead letter until somebody replays it.
            Endpoints are declared: see `tributary apply --help`.
            """,
        subcommands: [
            ListCallbacks.self, ShowCallback.self, ReplayCallbacks.self, ListEndpoints.self, EnableEndpoint.self,
            TestEndpoint.self,
        ]
    )
}
