import ArgumentParser
import Domain
import SQL
import Storage

/// `tributary callbacks enable`.
struct EnableEndpoint: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "enable",
        abstract: "Deliver to an endpoint again, at once and as if nothing had failed there.",
        discussion: """
            For one that is disabled, or that fails and should not be waited for any longer. What waits is delivered;
            dead letters stay dead until `callbacks replay`.

            Example:
              tributary callbacks enable hotel-7
            """
    )

    @OptionGroup var endpoint: EndpointArgument
    @OptionGroup var database: DatabaseOptions

    func run() async throws {
        let before = try await DatabaseUse.looking.open(database.settings()) { [endpoint] database in
            try await database.write { session in
                let found = try endpoint.load(in: session)
                _ = try CallbackEndpointTable.enable(found.id, in: session)
                return found
            }
        }
        let was =
            before.reason.map { "was disabled (\($0.rawValue))" } ?? "was enabled, \(before.health.failures) failures"
        Console.note("\(before.id) \(was) and is delivered to again")
    }
}
