import Hummingbird
package import Logging
import NIOCore
import ServiceLifecycle

/// A payment service provider that keeps books of its own, as an HTTP server.
///
/// What it does to a request is said by the request's token; see the adapter's README.md.
package struct SimulatorServer: Sendable {
    private let host: String
    private let port: Int
    private let dialect: any PSPDialect
    private let reports: SettlementReports
    private let storage: BooksStorage
    private let limits: SimulatorLimits
    private let webhooks: WebhookSettings
    private let clock: @Sendable () -> Int64
    private let logger: Logger

    /// Describes a simulator; nothing is opened yet.
    ///
    /// - Parameters:
    ///   - host: the address to listen on.
    ///   - port: the port to listen on; 0 for any free one.
    ///   - dialect: the wire format it speaks.
    ///   - books: where its books are kept.
    ///   - limits: its limits.
    ///   - webhooks: who hears of changes, and how.
    ///   - captureFee: what settlement reports take of each capture, in minor units.
    ///   - clock: the time in milliseconds since 1970.
    ///   - logger: where it logs.
    package init(
        host: String = "127.0.0.1",
        port: Int = 0,
        dialect: DialectName = .simulator,
        books: BooksStorage = .memory,
        limits: SimulatorLimits = SimulatorLimits(),
        webhooks: WebhookSettings = WebhookSettings(),
        captureFee: Int64 = 0,
        clock: @escaping @Sendable () -> Int64 = SimulatorClock.system,
        logger: Logger
    ) {
        self.host = host
        self.port = port
        self.dialect = dialect.dialect
        reports = SettlementReports(dialect: dialect, captureFee: captureFee)
        storage = books
        self.limits = limits
        self.webhooks = webhooks
        self.clock = clock
        self.logger = logger
    }

    /// Runs until cancelled or gracefully shut down; `onListening` gets the port once connections are accepted.
    ///
    /// - Throws: ``BooksFileError``, ``WebhookEndpointError``, or the error with which the address could not be bound.
    package func run(onListening: @escaping @Sendable (_ port: Int) async -> Void = { _ in }) async throws {
        let webhookSender = try WebhookSender(webhooks, dialect, clock: clock, logger: logger)
        let bookkeeper = try await bookkeeper(webhookSender)
        do {
            try await serve(bookkeeper, webhookSender, onListening: onListening)
        } catch {
            await bookkeeper.close()
            throw error
        }
        await bookkeeper.close()
    }

    /// Starts a simulator in a task of its own and returns once it accepts connections.
    ///
    /// - Throws: ``BooksFileError``, ``WebhookEndpointError``, or the error with which the address could not be bound.
    package func start() async throws -> RunningSimulator {
        let webhookSender = try WebhookSender(webhooks, dialect, clock: clock, logger: logger)
        let bookkeeper = try await bookkeeper(webhookSender)
        let (ports, announcement) = AsyncStream<Int>.makeStream()
        let service = ServingSimulator {
            defer { announcement.finish() }
            try await serve(bookkeeper, webhookSender) { port in announcement.yield(port) }
        }
        let group = ServiceGroup(configuration: ServiceGroupConfiguration(services: [service], logger: logger))
        let serving = Task { try await group.run() }
        for await port in ports {
            return RunningSimulator(
                host: host,
                port: port,
                bookkeeper: bookkeeper,
                webhookSender: webhookSender,
                group: group,
                serving: serving
            )
        }
        await bookkeeper.close()
        try await serving.value
        throw CancellationError()
    }

    private func bookkeeper(_ webhookSender: WebhookSender) async throws(BooksFileError) -> Bookkeeper {
        try await Bookkeeper(
            storage,
            webhookSender: webhookSender,
            clock: clock,
            keeping: dialect.keeping,
            lateness: limits.lateness
        )
    }

    private func serve(
        _ bookkeeper: Bookkeeper,
        _ webhookSender: WebhookSender,
        onListening: @escaping @Sendable (_ port: Int) async -> Void
    ) async throws {
        let routes = SimulatorRoutes(
            bookkeeper: bookkeeper,
            webhookSender: webhookSender,
            limits: limits,
            dialect: dialect,
            reports: reports
        )
        let application = Application(
            router: routes.router(),
            configuration: ApplicationConfiguration(address: .hostname(host, port: port)),
            onServerRunning: { channel in
                let port = channel.localAddress?.port ?? port
                webhookSender.setOrigin("http://\(host):\(port)")
                await bookkeeper.watch()
                await onListening(port)
            },
            logger: logger
        )
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await webhookSender.run() }
            do {
                try await application.run()
            } catch {
                group.cancelAll()
                throw error
            }
            group.cancelAll()
        }
    }
}

/// A simulator's serving, as something that can be told to take no more connections.
private struct ServingSimulator: Service {
    let body: @Sendable () async throws -> Void

    func run() async throws { try await body() }
}
