import ArgumentParser
import Logging
import PSPSimulator
import ServiceLifecycle
import Settings
import Synchronization

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
            GET /reports/settlement?account=<name> answers the account's settlement report as the PSP writes it, which
            `tributary reconcile` takes; &from=<date>&to=<date> are its first and last day.
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

    @Option(
        name: .long,
        help: ArgumentHelp(
            "What settlement reports take of each capture, in minor units of its currency.",
            valueName: "units"
        )
    )
    var captureFee: Int64 = 0

    func validate() throws {
        guard 0...1_000_000 ~= captureFee else { throw ValidationError("--capture-fee is 0 to 1000000") }
    }

    func run() async throws {
        let logger = Logger.standardError(.notice)
        let service = SimulatorService(
            server: SimulatorServer(
                host: host,
                port: Int(port),
                dialect: dialect,
                books: books.map(BooksStorage.file) ?? .memory,
                captureFee: captureFee,
                logger: logger
            ),
            host: host,
            port: Int(port)
        )
        try await Services.run([service], logger: logger)
    }
}

extension DialectName: ExpressibleByArgument {}

/// A PSP simulator as a service of the process.
final class SimulatorService: Service {
    private let server: SimulatorServer
    private let host: String
    private let port: Int
    private let isListening = Atomic(false)

    init(server: SimulatorServer, host: String, port: Int) {
        self.server = server
        self.host = host
        self.port = port
    }

    /// Serves until it is shut down, and says on standard error where.
    ///
    /// - Throws: `BooksFileError`, or ``CommandFailure`` if the address cannot be listened on.
    func run() async throws {
        do {
            try await server.run { port in
                self.isListening.store(true, ordering: .relaxed)
                Console.note("listening on \(Address.url(host: self.host, port: port))")
            }
        } catch let error as BooksFileError {
            throw error
        } catch  where !isListening.load(ordering: .relaxed) && !(error is CancellationError) {
            throw CommandFailure.unusable("cannot listen on \(Address.url(host: host, port: port)): \(error)")
        }
    }
}
