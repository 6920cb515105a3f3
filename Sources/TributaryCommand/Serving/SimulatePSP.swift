import ArgumentParser
import Logging
import PSPSimulator
import ServiceLifecycle
import Settings

/// `tributary simulate-psp`.
struct SimulatePSP: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate-psp",
        abstract: "Run a PSP simulator that keeps books of its own.",
        discussion: """
            A payment's token says what happens to it: tok_approve, tok_decline_insufficient_funds, tok_slow_2000,
            tok_timeout_after, tok_approve+capture_500_after, … Adapters/Simulator/README.md lists them all.
            Every API key but `invalid` is accepted; key_<name> is the key of the account <name>.
            GET /books answers the books as JSON. They are kept in memory unless --books names a file.
            With --dialect it speaks the wire format of another PSP, on the same books and by the same tokens.

            Examples:
              tributary simulate-psp --port 9901 --books books.jsonl
              tributary simulate-psp --port 9902 --dialect stripe
            """
    )

    @Option(name: .long, help: "The address to listen on.")
    var host = "127.0.0.1"

    @Option(name: .long, help: "The port to listen on; 0 for any free one.")
    var port: UInt16 = 9901

    @Option(name: .long, help: ArgumentHelp("The file to keep the books in.", valueName: "file"))
    var books: String?

    @Option(name: .long, help: ArgumentHelp("Whose wire format to speak.", valueName: "psp"))
    var dialect = DialectName.simulator

    func run() async throws {
        let logger = Logger.standardError(.notice)
        let service = SimulatorService(
            server: SimulatorServer(
                host: host,
                port: Int(port),
                dialect: dialect,
                books: books.map(BooksStorage.file) ?? .memory,
                logger: logger
            ),
            host: host,
            port: Int(port)
        )
        try await Services.run([service], logger: logger)
    }
}

extension DialectName: ExpressibleByArgument {}
