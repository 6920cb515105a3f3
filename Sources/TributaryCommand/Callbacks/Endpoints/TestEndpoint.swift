import ArgumentParser
import Callbacks
import CurlTransport
import Domain
import Keyring
import SQL
import Settings
import Storage
import Wiring

/// `tributary callbacks test`.
struct TestEndpoint: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test",
        abstract: "Send an endpoint a signed event of type endpoint.test, from here, and say what it answers.",
        discussion: """
            Nothing is stored, and a disabled endpoint stays so. Run it where the server runs, with the server's
            environment. Exits 1 unless the answer is 2xx.

            Example:
              tributary callbacks test travel
            """
    )

    @OptionGroup var endpoint: EndpointArgument
    @OptionGroup var database: DatabaseOptions
    @OptionGroup var output: FormatOption

    func run() async throws {
        let settings = try database.settings()
        let secrets = SecretStore(try Keyring(settings), surroundings: .process)
        let (found, now) = try await DatabaseUse.looking.open(settings) { [endpoint] database in
            let now = Timestamp(microseconds: try await database.now())
            return (try await database.read { session in try endpoint.load(in: session) }, now)
        }
        let transport = CurlTransport()
        let sender = CurlCallbackSender(transport, allowsLoopback: settings.callbacksAllowLoopback)
        let (id, reply) = await EndpointTrial(sender, secrets: secrets).send(to: found, at: now)
        await transport.stop()
        let (result, status, isTaken) = Self.reading(reply)
        var table = Table("endpoint", "url", "callback", "result", "status")
        table.add(
            .text(found.id.text),
            .text(found.url),
            .text(id.text),
            .text(result),
            status.map { .integer(Int64($0)) } ?? .absent
        )
        output.write(table)
        guard isTaken else { throw ExitCode(1) }
    }

    private static func reading(_ reply: CallbackReply) -> (result: String, status: Int?, isTaken: Bool) {
        switch reply {
        case .status(let status, _) where (200..<300).contains(status): ("taken", status, true)
        case .status(let status, _): ("not taken: only 2xx counts", status, false)
        case .silence(let reason): (reason, nil, false)
        case .interrupted: ("interrupted", nil, false)
        }
    }
}
