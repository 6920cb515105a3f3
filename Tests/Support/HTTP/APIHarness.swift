package import AdapterKit
package import Domain
package import Gateway
package import HTTPAPI
import HTTPTransport
package import Keyring
package import Logging
package import SQL
import ServiceLifecycle
import SimulatorAdapter
import Storage
import StrictJSON
package import Telemetry
import Wiring

/// The HTTP API on a free port, over a gateway instance at ``TestMarketplace/travel`` whose PSP is in the test's hands.
package struct APIHarness: Sendable {
    /// The database.
    package let database: any Database
    /// What time it is.
    package let clock: ManualClock
    /// The PSP behind every account.
    package let psp: ScriptedSender
    /// Seals what is stored.
    package let keyring: Keyring
    /// The instance that serves.
    package let gateway: Gateway
    /// The port that the API listens on.
    package let port: Int
    private let transport: HTTPTransport

    /// What requests may be at most unless a test says otherwise.
    package static let limits = APILimits()

    /// Lends a running API on a fresh database, stops it afterwards, and looks at all the callbacks then.
    ///
    /// - Throws: what `body` throws, or ``HarnessFailure/wronglyTold(_:)``.
    package static func with(
        _ engine: DatabaseEngine,
        settings: GatewaySettings = GatewayHarness.settings,
        limits: APILimits = Self.limits,
        wallets: WalletPorts = .none,
        pageOrigins: Set<String> = [],
        publicURL: String? = nil,
        adapter: any PaymentAdapter.Type = SimulatorAdapter.self,
        logger: Logger? = nil,
        traces: TraceWriter = .none,
        _ body: @Sendable (APIHarness) async throws -> Void
    ) async throws {
        try await withDatabase(engine, prepare: .travel) { database in
            try await with(
                database,
                settings: settings,
                limits: limits,
                wallets: wallets,
                pageOrigins: pageOrigins,
                publicURL: publicURL,
                adapter: adapter,
                logger: logger,
                traces: traces,
                body
            )
        }
    }

    /// Lends a running API on a database that has ``TestMarketplace/travel``.
    ///
    /// - Throws: what `body` throws, or ``HarnessFailure/wronglyTold(_:)``.
    package static func with(
        _ database: any Database,
        settings: GatewaySettings = GatewayHarness.settings,
        limits: APILimits = Self.limits,
        wallets: WalletPorts = .none,
        pageOrigins: Set<String> = [],
        publicURL: String? = nil,
        adapter: any PaymentAdapter.Type = SimulatorAdapter.self,
        logger: Logger? = nil,
        traces: TraceWriter = .none,
        _ body: @Sendable (APIHarness) async throws -> Void
    ) async throws {
        let clock = ManualClock(.flows)
        let psp = ScriptedSender(clock: clock)
        let keyring = try Keyring.fresh()
        let gateway = Gateway(
            Gateway.Ports(
                database: database,
                clock: clock,
                sender: psp,
                vault: Vault(keyring),
                directory: PSPDirectory(
                    psps: [SimulatorAdapter.name: PSPDirectory.PSP(adapter)],
                    database: database,
                    resolve: WebhookSigner.resolve
                ),
                wallets: wallets,
                presentation: OrderPresenter.presentation,
                logger: logger ?? silent,
                traces: traces
            ),
            settings: settings,
            instance: "api"
        )
        let server = APIServer(
            gateway: gateway,
            fingerprints: try Fingerprints(key: Keyring.makeKey()),
            limits: limits,
            publicURL: publicURL,
            ports: .plain,
            pageOrigins: pageOrigins,
            logger: logger ?? silent
        )
        let transport = HTTPTransport()
        let driver = Task { await gateway.run() }
        let result = await serving(server) { port in
            try await body(
                APIHarness(
                    database: database,
                    clock: clock,
                    psp: psp,
                    keyring: keyring,
                    gateway: gateway,
                    port: port,
                    transport: transport
                )
            )
        }
        await psp.releaseAll()
        driver.cancel()
        clock.stop()
        await driver.value
        await transport.stop()
        try result.get()
        let complaints = try await CallbackCheck.complaints(about: database)
        guard complaints.isEmpty else { throw HarnessFailure.wronglyTold(complaints) }
    }

    /// A client that shows a new API key with these scopes; a merchant's may be named by its external identifier.
    ///
    /// - Throws: `SQLError`.
    package func client(
        _ scopes: String...,
        of marketplace: String = "travel",
        named name: String? = nil,
        from networks: [NetworkRange] = [],
        until end: Timestamp? = nil,
        pinnedTo version: String? = nil
    ) async throws -> APIClient {
        let secret = "tk_" + String(UInt64.random(in: .min ... .max), radix: 36)
        var ids = IdentifierSource()
        var stored: Set<String> = []
        for scope in scopes { stored.insert(try await bound(scope, of: marketplace)) }
        let key = APIKeyTable.Key(
            id: ids.make(at: clock.now()),
            marketplace: marketplace,
            name: name,
            scopes: stored,
            networks: networks,
            createdAt: clock.now(),
            expiresAt: end,
            apiVersion: version
        )
        let hash = APIKeyHash.of(Array(secret.utf8))
        try await database.write { session in try APIKeyTable.insert(key, hash: hash, in: session) }
        return APIClient(transport: transport, port: port, key: secret)
    }

    /// A merchant's scope with its id, as the command line stores it; any other as it is.
    private func bound(_ scope: String, of marketplace: String) async throws -> String {
        let prefix = "merchant:"
        guard scope.hasPrefix(prefix) else { return scope }
        let name = String(scope.dropFirst(prefix.count))
        let known = try await database.read { session in
            try MerchantTable.find([name], of: marketplace, in: session).first
        }
        return prefix + (known?.id.text ?? name)
    }

    /// A client that shows that key, whatever it is.
    package func client(showing key: String) -> APIClient { APIClient(transport: transport, port: port, key: key) }

    /// A client that shows a key, or none, to another server on this machine.
    package func client(showing key: String?, at port: Int) -> APIClient {
        APIClient(transport: transport, port: port, key: key)
    }

    /// A client that shows no key.
    package var anonymous: APIClient { APIClient(transport: transport, port: port, key: nil) }

    private static let silent = Logger(label: "api") { _ in SwiftLogNoOpLogHandler() }

    /// Runs a server for the time of `body`, on a free port for zero, then asks it to stop, and after some time makes it.
    package static func serving(
        _ server: APIServer,
        at port: Int = 0,
        drainingFor time: Duration = .milliseconds(50),
        _ body: (_ port: Int) async throws -> Void
    ) async -> Result<Void, any Error> {
        let (ports, announcement) = AsyncStream<Int>.makeStream()
        let service = Serving {
            defer { announcement.finish() }
            try await server.run(host: "127.0.0.1", port: port) { port in announcement.yield(port) }
        }
        let group = ServiceGroup(configuration: ServiceGroupConfiguration(services: [service], logger: silent))
        let serving = Task { try await group.run() }
        var result: Result<Void, any Error>?
        for await port in ports {
            do { result = .success(try await body(port)) } catch { result = .failure(error) }
            break
        }
        // It stops listening first: NIO takes a connection that is dropped before it has a handler for a mistake.
        await group.triggerGracefulShutdown()
        let timer = Task {
            try? await Task.sleep(for: time)
            serving.cancel()
        }
        let end = await serving.result
        timer.cancel()
        return result ?? .failure(HarnessFailure.neverServed("\(end)"))
    }

    /// The API's serving, as something that can be told to take no more connections.
    private struct Serving: Service {
        let body: @Sendable () async throws -> Void

        func run() async throws { try await body() }
    }
}

extension OperatorPorts {
    /// A way to endpoints that take everything, secrets that are kept as references, and a reader of declarations that
    /// takes a marketplace's name for all of it.
    package static let plain = OperatorPorts(
        test: { _, now in
            var ids = IdentifierSource()
            return TestResult(callback: ids.make(at: now), status: 204, error: nil)
        },
        secrets: { _ in (Secret("whsec_made"), .reference("env:MADE")) },
        refusal: { url in url.hasPrefix("https://") ? nil : "plain http" },
        declaration: { json, _ in
            guard let id = json["marketplace"]?["id"]?.stringValue, let name = json["marketplace"]?["name"]?.stringValue
            else { return ReadDeclaration(nil, problems: ["there is no marketplace"]) }
            let marketplace = MarketplaceTable.Marketplace(id: id, name: name)
            return ReadDeclaration(
                MarketplaceDocument(marketplace, accounts: [], merchants: [], endpoint: nil),
                warnings: ["nothing else is declared"]
            )
        }
    )
}
