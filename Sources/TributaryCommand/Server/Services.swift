import Callbacks
import Foundation
import Gateway
import HTTPAPI
import Logging
import SQL
import ServiceLifecycle
import Settings
import Synchronization
import UnixSignals

/// Runs services together until one ends or the process is asked to.
enum Services {
    /// Runs services until one of them returns, or SIGTERM or SIGINT comes; then shuts the others down in the reverse
    /// order, each with time to finish what it has begun: `patience` for all of them.
    ///
    /// - Throws: the error of the service that failed first.
    static func run(
        _ services: [any Service],
        within patience: Duration = .seconds(30),
        logger: Logger
    ) async throws {
        var configuration = ServiceGroupConfiguration(
            services: services.map {
                ServiceGroupConfiguration.ServiceConfiguration(
                    service: $0,
                    successTerminationBehavior: .gracefullyShutdownGroup,
                    failureTerminationBehavior: .cancelGroup
                )
            },
            gracefulShutdownSignals: [.sigterm, .sigint],
            logger: logger
        )
        configuration.maximumGracefulShutdownDuration = patience
        try await ServiceGroup(configuration: configuration).run()
    }
}

/// The HTTP API as a service of the process.
final class APIService: Service {
    private let server: APIServer
    private let host: String
    private let port: Int
    private let isEncrypted: Bool
    private let onListening: @Sendable (_ url: String) -> Void
    private let isListening = Atomic(false)

    init(
        server: APIServer,
        _ settings: ServerSettings,
        onListening: @escaping @Sendable (_ url: String) -> Void
    ) {
        self.server = server
        host = settings.host
        port = settings.port
        isEncrypted = settings.tls != nil
        self.onListening = onListening
    }

    /// Serves until it is shut down, and says where.
    ///
    /// - Throws: ``CommandFailure`` if the address cannot be listened on.
    func run() async throws {
        do {
            try await server.run(host: host, port: port) { port in
                self.isListening.store(true, ordering: .relaxed)
                self.onListening(Address.url(host: self.host, port: port, isEncrypted: self.isEncrypted))
            }
        } catch  where !isListening.load(ordering: .relaxed) && !(error is CancellationError) {
            throw CommandFailure.unusable("cannot listen on \(Address.url(host: host, port: port)): \(error)")
        }
    }
}

/// The delivery of callbacks as a service of the process.
struct CallbackService: Service {
    let deliverer: CallbackDeliverer

    /// Delivers until it is shut down; what is on its way then is brought to an end and written down.
    func run() async throws {
        await withGracefulShutdownHandler {
            await deliverer.run()
        } onGracefulShutdown: {
            deliverer.stop()
        }
    }
}

/// Ends the process when its standard input is closed, so that it does not outlive whoever started it, however that
/// one ends.
struct StandardInputService: Service {
    /// Returns when standard input has come to its end.
    func run() async throws {
        let (ends, end) = AsyncStream<Void>.makeStream()
        // Blocks until the end, and beyond the service if that is shut down first: the process ends then anyway.
        Thread.detachNewThread {
            while !FileHandle.standardInput.availableData.isEmpty {}
            end.finish()
        }
        await cancelWhenGracefulShutdown {
            for await _ in ends {}
        }
    }
}

/// Work that is canceled when the process is asked to end; what it leaves undone waits for whoever looks next.
struct InterruptibleService: Service, CustomStringConvertible {
    /// What the work is called in logs.
    let description: String
    private let body: @Sendable () async throws -> Void

    init(_ name: String, _ body: @escaping @Sendable () async throws -> Void) {
        description = name
        self.body = body
    }

    /// Does the work.
    ///
    /// - Throws: what the work throws.
    func run() async throws { try await cancelWhenGracefulShutdown(body) }
}
