import Callbacks
import Domain
import Foundation
import Gateway
import Glibc
import HTTPAPI
import HTTPTransport
import Keyring
import Logging
import SQL
import Settings
import Storage
import Telemetry
import Wiring

/// A gateway wired to the world: the database, libcurl, the keys, and the adapters of this build.
struct GatewayStack {
    /// The gateway.
    let gateway: Gateway
    /// Hashes bodies of requests.
    let fingerprints: Fingerprints
    /// Brings restored books up to what PSPs did.
    let recovery: BooksRecovery
    /// The way out to PSPs.
    private let transport: HTTPTransport
    /// The way out to endpoints, whose troubles are no PSP's.
    private let callbackTransport: HTTPTransport
    /// What delivers callbacks.
    let deliverer: CallbackDeliverer
    /// What operators' acts over HTTP need of the outside.
    let operatorPorts: OperatorPorts
    /// The database's time.
    let clock: DatabaseClock
    /// A name that no other instance has.
    let instance: String
    /// Where what is done is told of, span by span.
    let traces: TraceWriter

    /// Wires an instance.
    ///
    /// - Parameters:
    ///   - settings: what the operator set.
    ///   - database: an open database with this build's schema.
    ///   - callbackConnections: the most connections to endpoints of callbacks.
    ///   - surroundings: where secrets are.
    ///   - logger: the background logger.
    /// - Throws: ``CommandFailure`` if a key is missing, `KeyringRefusal` if the keys are not the database's, or `SQLError`.
    init(
        _ settings: ServerSettings,
        database: any Database,
        callbackConnections: Int = CurlCallbackSender.transportLimits.requestsInTotal,
        surroundings: Surroundings = .process,
        logger: Logger
    ) async throws {
        let keyring = try Keyring(settings, surroundings: surroundings)
        fingerprints = try await keyring.begin(on: database, settings)
        clock = try await DatabaseClock(database)
        transport = HTTPTransport(limits: TransportLimits(settings.psp))
        instance = Self.instanceName()
        let traces = TraceWriter(settings.tracing)
        self.traces = traces
        var callbackLimits = CurlCallbackSender.transportLimits
        callbackLimits.requestsInTotal = min(callbackLimits.requestsInTotal, callbackConnections)
        callbackTransport = HTTPTransport(limits: callbackLimits)
        let callbackSender = CurlCallbackSender(callbackTransport, allowsLoopback: settings.callbacksAllowLoopback)
        let secrets = SecretStore(keyring, surroundings: surroundings)
        operatorPorts = OperatorPorts(
            callbackSender,
            secrets,
            allowsLoopback: settings.callbacksAllowLoopback,
            references: settings.appliedReferences,
            surroundings: surroundings
        )
        let metrics = GatewayMetrics()
        let database = MeasuredDatabase(database, for: metrics.registry, disk: metrics.disk)
        let deliverer = CallbackDeliverer(
            CallbackDeliverer.Ports(
                database: database,
                sender: callbackSender,
                secrets: secrets,
                now: { [clock] in clock.now() },
                logger: logger,
                count: { metrics.count($0) },
                traces: traces
            ),
            instance: instance
        )
        self.deliverer = deliverer
        let sender = CurlSender(
            transport,
            connectTimeoutMilliseconds: Int(settings.timings.pspConnectTimeoutMilliseconds)
        )
        let ports = Gateway.Ports(
            database: database,
            clock: clock,
            sender: sender,
            vault: Vault(keyring),
            directory: PSPDirectory(psps: AdapterCatalog.psps, database: database) { text in
                guard let reference = SecretReference(text) else { throw UnreadableReference() }
                return try reference.resolve(in: surroundings)
            },
            wallets: Self.wallets(sender, fingerprints, surroundings),
            presentation: OrderPresenter.presentation,
            onAnnouncement: { deliverer.wake() },
            logger: logger,
            metrics: metrics,
            traces: traces
        )
        gateway = Gateway(ports, settings: GatewaySettings(settings), instance: instance)
        recovery = BooksRecovery(ports, settings: GatewaySettings(settings), instance: instance)
    }

    private static func wallets(
        _ sender: CurlSender,
        _ fingerprints: Fingerprints,
        _ surroundings: Surroundings
    ) -> WalletPorts {
        WalletPorts(
            read: { text in
                guard let reference = SecretReference(text) else { throw UnreadableReference() }
                return try reference.bytes(in: surroundings)
            },
            askApple: { request, identity, timeout in
                await sender.askApple(request, as: identity, timeoutMilliseconds: timeout)
            },
            authenticate: { subject in fingerprints.hash(of: Array("tributary/wallet-orders:\(subject)".utf8)) }
        )
    }

    /// Closes the ways out; what is on its way is broken off.
    func stop() async {
        await transport.stop()
        await callbackTransport.stop()
    }

    /// A stored reference to a secret that is none.
    struct UnreadableReference: Error {}

    /// A name no other instance has: processes of one machine differ by number, all others by chance.
    private static func instanceName() -> String {
        "\(getpid())-" + String(UInt64.random(in: .min ... .max), radix: 36)
    }
}

extension TransportLimits {
    /// The limits of the way out to PSPs, as the operator set them.
    fileprivate init(_ settings: PSPConnectionLimits) {
        self.init(
            requestsPerHost: settings.connectionsPerHost,
            requestsInTotal: settings.connections,
            requestsPerBulkhead: settings.connectionsPerAccount,
            requestsWaiting: settings.queue
        )
    }
}

extension GatewayMetrics {
    /// Counts what became of a delivery.
    fileprivate func count(_ event: DeliveryEvent) {
        switch event {
        case .tried(.delivered): callbacks.increment(.delivered)
        case .tried(.again(_)): callbacks.increment(.failed)
        case .tried(.dead): callbacks.increment(.dead)
        case .tried(.untouched): callbacks.increment(.unwanted)
        case .claimLost: countLostEndpoint()
        }
    }
}

extension GatewaySettings {
    /// The gateway's part of the settings.
    init(_ settings: ServerSettings) {
        let (timings, limits) = (settings.timings, settings.limits)
        let processors = ProcessInfo.processInfo.activeProcessorCount
        self.init(
            rules: timings.orderTimings,
            deadlineMilliseconds: timings.deadlineMilliseconds,
            decideByMilliseconds: timings.decideByMilliseconds,
            pspTimeoutMilliseconds: timings.pspTimeoutMilliseconds,
            pollMilliseconds: timings.pollMilliseconds,
            sampleMilliseconds: settings.metrics.sampleEveryMilliseconds,
            callsPerAccount: settings.psp.connectionsPerAccount,
            admission: AdmissionLimits(
                atOnce: limits.ordersAtOnce(processors: processors),
                waiting: limits.ordersWaiting,
                waitMilliseconds: timings.deadlineMilliseconds / 20,
                orders: limits.ordersInFlight,
                connections: limits.maxConnections
            ),
            retention: RetentionPeriods(settings.retention)
        )
    }
}

extension RetentionPeriods {
    /// The periods as the operator set them.
    fileprivate init(_ settings: RetentionSettings) {
        self.init()
        idempotencyKeyMilliseconds = settings.idempotencyKeyMilliseconds
        paymentRequestMilliseconds = settings.paymentRequestMilliseconds
        webhookMilliseconds = settings.webhookMilliseconds
        callbackMilliseconds = settings.callbackMilliseconds
        walletOrderMilliseconds = settings.walletOrderMilliseconds
    }
}

extension APILimits {
    /// The API's part of the settings, with no more connections than `descriptors` allow.
    init(_ settings: ServerSettings, _ descriptors: DescriptorBudget) {
        let limits = settings.limits
        self.init(
            bodyBytes: limits.bodyBytes,
            jsonDepth: limits.jsonDepth,
            contexts: limits.contexts,
            decideByLimitMilliseconds: settings.timings.decideByLimitMilliseconds,
            connections: ConnectionLimits(
                connections: min(limits.maxConnections, ConnectionLimits.connections(within: descriptors.incoming)),
                headMilliseconds: limits.headTimeoutMilliseconds,
                bodyMilliseconds: limits.bodyTimeoutMilliseconds,
                bodyBytesPerSecond: limits.bodyBytesPerSecond
            )
        )
    }
}

extension Keyring {
    /// The key that is used where no key ring is configured: `k1`, from this variable.
    private static let defaultKey = (name: "k1", reference: SecretReference.variable("TRIBUTARY_KEY"))

    /// Reads the keys that the settings refer to; without a key ring there, `TRIBUTARY_KEY` is the only key.
    ///
    /// - Throws: ``CommandFailure`` that says how to make a key.
    init(_ settings: ServerSettings, surroundings: Surroundings = .process) throws(CommandFailure) {
        let (name, reference) = Self.defaultKey
        let configured = settings.keyring ?? KeyringSettings(current: name, keys: [name: reference])
        var keys: [String: Secret] = [:]
        do {
            for (name, reference) in configured.keys { keys[name] = try reference.resolve(in: surroundings) }
        } catch {
            throw .unusable(
                "there is no key to encrypt what is stored. \(error) Make one with `openssl rand -hex 32`, keep it, "
                    + "and set TRIBUTARY_KEY to it, or name a file with keyring: in the settings"
            )
        }
        do {
            try self.init(current: configured.current, keys: keys)
        } catch {
            throw .unusable(
                "the key \(configured.current) cannot be used: a key is 64 hexadecimal digits, as "
                    + "`openssl rand -hex 32` makes them"
            )
        }
    }
}

extension SecretStore {
    /// A store whose keys are on a ring, and whose references are looked up around this process.
    init(_ keyring: Keyring, surroundings: Surroundings) {
        self.init(keyring) { text in
            guard let reference = SecretReference(text) else { throw GatewayStack.UnreadableReference() }
            return try reference.resolve(in: surroundings)
        }
    }
}

extension Surroundings {
    /// This process's environment variables, and the files it can read.
    static var process: Surroundings {
        Surroundings(environment: ProcessInfo.processInfo.environment) { path in
            FileManager.default.contents(atPath: path).map(Array.init)
        }
    }
}
