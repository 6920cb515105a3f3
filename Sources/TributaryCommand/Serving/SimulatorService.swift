import PSPSimulator
import ServiceLifecycle
import Synchronization

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
