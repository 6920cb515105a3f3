import HTTPAPI
import ServiceLifecycle
import Synchronization

/// The HTTP API as a service of the process.
final class APIService: Service {
    private let server: APIServer
    private let host: String
    private let port: Int
    private let isListening = Atomic(false)

    init(server: APIServer, host: String, port: Int) {
        self.server = server
        self.host = host
        self.port = port
    }

    /// Serves until it is shut down, and says on standard error where.
    ///
    /// - Throws: ``CommandFailure`` if the address cannot be listened on.
    func run() async throws {
        do {
            try await server.run(host: host, port: port) { port in
                self.isListening.store(true, ordering: .relaxed)
                Console.note("listening on \(Address.url(host: self.host, port: port))")
            }
        } catch  where !isListening.load(ordering: .relaxed) && !(error is CancellationError) {
            throw CommandFailure.unusable("cannot listen on \(Address.url(host: host, port: port)): \(error)")
        }
    }
}
