import ArgumentParser
import CProcess
import Domain
import Gateway
import HTTPAPI
import Keyring
import Logging
import PostgresDatabase
import SQL
import SQLiteDatabase
import ServiceLifecycle
import Settings
import Wiring

/// `tributary serve`.
struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Serve the HTTP API and drive what is under way.",
        discussion: """
            Says on standard error where it listens. SIGTERM or SIGINT ends it in good order: requests under way are
            answered first, and what is in hand is handed over. After a crash, start it again: it finds out what became of everything it had in hand.

            The embedded database (sqlite:PATH) belongs to one process; with PostgreSQL any number may serve.

            Examples:
              tributary serve --port 9000
              TRIBUTARY_DATABASE_URL="postgres://gateway@db/tributary?sslmode=verify-full" tributary serve --host 0.0.0.0
            """
    )

    @OptionGroup var database: DatabaseOptions

    @Option(name: .long, help: "The address to listen on; 127.0.0.1 unless set.")
    var host: String?

    @Option(name: .long, help: "The port to listen on; 8080 unless set, 0 for any free one.")
    var port: String?

    @Option(
        name: .long,
        help: ArgumentHelp("How much to log: trace, debug, info, notice, warning, error, critical.", valueName: "level")
    )
    var logLevel: String?

    @Option(
        name: .long,
        help: ArgumentHelp("How a line of the log is written: text, or json for an object a line.", valueName: "format")
    )
    var logFormat: String?

    @Flag(name: .long, help: .hidden)
    var stopWhenStdinCloses = false

    func run() async throws {
        let wanted = try database.settings(adding: [
            .host: host, .port: port, .logLevel: logLevel, .logFormat: logFormat,
        ])
        _ = try Keyring(wanted)
        let metricsAccess = try MetricsAccess(wanted.metrics, surroundings: .process)
        let logger = Logger.standardError(wanted.logLevel, wanted.logFormat)
        let figures = CertificateFigures(surroundings: .process)
        let keeper = try wanted.tls.map { tls throws(CommandFailure) in
            try ServerCertificateKeeper(tls, figures: figures, surroundings: .process, logger: logger)
        }
        let descriptors = Descriptors(for: wanted, logger: logger)
        let settings = descriptors.fitted(wanted)
        // Credentials are in memory while they are sent.
        if cprocess_forbid_core_dumps() == 0 { logger.warning("core dumps could not be forbidden") }
        if case .postgres(let url) = settings.database, try PostgresURL(url.reveal()).protection == .none {
            logger.warning("the connection to PostgreSQL is not encrypted: its URL says sslmode=disable")
        }
        if settings.sendsKeysInTheClear {
            logger.warning(
                "the API listens beyond this machine without TLS, and no proxy is trusted: keys come in the clear",
                metadata: ["host": "\(settings.host)"]
            )
        }
        try await DatabaseUse.serving.open(settings) { database in
            try await StartupWarnings(logger).warnOfRights(on: settings.database, database)
            let stack = try await GatewayStack(
                settings,
                database: database,
                callbackConnections: descriptors.budget.callbacks,
                logger: logger
            )
            stack.gateway.metrics.registry.add([
                ServerFigures(database), figures, TraceFigures(stack.traces), ClockFigures(clock: stack.clock),
            ])
            stack.gateway.readiness.add(.clock(stack.clock))
            if let sqlite = database as? SQLiteDatabase { stack.gateway.readiness.add(.room(for: sqlite)) }
            let server = APIServer(
                gateway: stack.gateway,
                fingerprints: stack.fingerprints,
                limits: APILimits(settings, descriptors.budget),
                publicURL: settings.publicURL?.text,
                ports: stack.operatorPorts,
                pageOrigins: settings.pageOrigins,
                metricsAccess: metricsAccess,
                tls: keeper?.tls,
                proxies: TrustedProxies(settings.proxies),
                rates: RateLimits(settings.rateLimits),
                logger: logger
            )
            let result = await Result { try await serve(server, of: stack, figures, keeper, settings, logger) }
            await stack.stop()
            try result.get()
        }
    }

    private func serve(
        _ server: APIServer,
        of stack: GatewayStack,
        _ figures: CertificateFigures,
        _ keeper: ServerCertificateKeeper?,
        _ settings: ServerSettings,
        _ logger: Logger
    ) async throws {
        try await StartupWarnings(logger).warnOfAccounts(of: stack.gateway)
        try await LeaseRecovery(stack.gateway, logger: logger).run(on: settings.database)
        let notices = ServerNotices(
            gateway: stack.gateway,
            server: server,
            settings: settings,
            instance: stack.instance,
            logger: logger
        )
        let api = APIService(server: server, settings) { notices.listening(at: $0) }
        let end = EndNotice(notices)
        let (gateway, clock) = (stack.gateway, stack.clock)
        let monitor = LedgerMonitor(
            database: gateway.database,
            clock: clock,
            instance: stack.instance,
            verifyEveryMilliseconds: settings.ledger.verifyEveryMilliseconds,
            logger: logger
        )
        let sealer = AuditSealer(database: gateway.database, clock: clock, logger: logger)
        var services: [any Service] = [
            ClockService(clock: clock, database: gateway.database, logger: logger),
            InterruptibleService("heartbeat") { await gateway.beat() },
            CallbackService(deliverer: stack.deliverer), InterruptibleService("gateway") { await gateway.run() },
            InterruptibleService("ledger monitor") { await monitor.run() },
            InterruptibleService("audit sealer") { await sealer.run() },
            CertificateService(figures: figures, database: gateway.database),
            InterruptibleService("sampling") { await gateway.sample() }, api,
        ]
        if let keeper { services.append(ServerCertificateService(keeper: keeper)) }
        if stopWhenStdinCloses { services.append(StandardInputService()) }
        // The first one ends last: spans end until then.
        if let exporting = TraceService(stack.traces, settings.tracing, instance: stack.instance, logger: logger) {
            services.insert(exporting, at: 0)
        }
        // The last one hears first that the process is asked to end.
        services.append(end)
        notices.begin()
        let patience = Duration.milliseconds(settings.drainMilliseconds) + .seconds(30)
        try await Services.run(services, within: patience, logger: logger)
        await end.end()
    }
}

extension MetricsAccess {
    /// Who may read metrics, as the operator set it.
    ///
    /// - Throws: ``CommandFailure`` if there is no key where the settings say that it is.
    init(_ settings: MetricSettings, surroundings: Surroundings) throws(CommandFailure) {
        do throws(SecretRefusal) {
            self.init(key: try settings.key?.resolve(in: surroundings))
        } catch {
            throw .unusable("the key of metrics cannot be had. \(error)")
        }
    }
}
