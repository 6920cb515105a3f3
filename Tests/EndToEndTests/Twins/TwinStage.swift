import Domain
import Gateway
import HTTPAPI
import HTTPTransport
import Keyring
import Logging
import PSPSimulator
import SQL
import Simulation
import Storage
import TributaryTestKit
import Wiring

/// A marketplace of seven merchants at seven PSPs, each speaking its own wire format over real connections, with a
/// gateway that hears their webhooks.
///
/// Gateway and PSPs share a clock, so that what takes hours at a PSP can be jumped over.
struct TwinStage: Sendable {
    let twins: [PSPTwin]
    let servers: [RunningSimulator]
    let gateway: Gateway
    let database: any Database
    let clock: ManualClock
    /// What the gateway has of the outside.
    let wiring: Gateway.Ports

    private static let marketplace = "travel"

    /// Times that suit a test; each order is to meet the fault that it is made for, so PSPs are asked whatever happened.
    ///
    /// - Parameter timeout: after how many milliseconds a PSP that does not answer is given up. Where a fault is that it does
    ///   not, a second is enough; where there are no faults, a busy machine must not be one. Below 30,000: nothing is sent
    ///   under a lease that does not last half a minute longer.
    /// - Returns: the times.
    private static func settings(_ timeout: Int64) -> GatewaySettings {
        GatewaySettings(
            rules: OrderTimings(
                leaseMilliseconds: 60_000,
                unknownScheduleMilliseconds: [50, 200, 1000, 60_000, 3_600_000]
            ),
            pspTimeoutMilliseconds: timeout,
            pollMilliseconds: 20,
            concurrencyLimit: 64,
            breakerFailures: .max
        )
    }

    /// Lends a stage with all twins and a database of its own.
    static func with(
        _ engine: DatabaseEngine,
        pspTimeoutMilliseconds timeout: Int64 = 1500,
        _ body: (TwinStage) async throws -> Void
    ) async throws {
        try await DatabaseLocation.with(engine, prepare: .migrated) { location in
            try await with(PSPTwin.all, location, ManualClock(.flows), pspTimeoutMilliseconds: timeout, body)
        }
    }

    /// Lends a stage with some twins beside a migrated database, which keeps what is played on it.
    static func with(
        _ twins: [PSPTwin],
        _ location: DatabaseLocation,
        _ clock: ManualClock,
        pspTimeoutMilliseconds timeout: Int64 = 1500,
        _ body: (TwinStage) async throws -> Void
    ) async throws {
        let port = try await FreePort.find()
        var servers: [RunningSimulator] = []
        for twin in twins { servers.append(try await start(twin, clock, hearing: port)) }
        let transport = HTTPTransport()
        let started = servers
        let result: Result<Void, any Error>
        do {
            try await location.withOpen { database in
                try await fill(database, twins, started)
                let keyring = try Keyring.fresh()
                let wiring = try ports(database, clock, transport, keyring, twins)
                let gateway = Gateway(wiring, settings: settings(timeout), instance: "one")
                let server = APIServer(
                    gateway: gateway,
                    fingerprints: try Fingerprints(key: Keyring.makeKey()),
                    limits: APILimits(),
                    publicURL: "http://127.0.0.1:\(port)",
                    logger: quiet
                )
                let driver = Task { await gateway.run() }
                let outcome = await APIHarness.serving(server, at: port) { _ in
                    try await body(
                        TwinStage(
                            twins: twins,
                            servers: started,
                            gateway: gateway,
                            database: database,
                            clock: clock,
                            wiring: wiring
                        )
                    )
                }
                driver.cancel()
                clock.stop()
                await driver.value
                try outcome.get()
            }
            result = .success(())
        } catch {
            result = .failure(error)
        }
        await transport.stop()
        for server in servers { await server.stop() }
        try result.get()
    }

    private static func start(_ twin: PSPTwin, _ clock: ManualClock, hearing port: Int) async throws -> RunningSimulator
    {
        var limits = SimulatorLimits()
        limits.stall = .seconds(3)
        // Inquiries see what happened nearly as late as the adapter says that they may.
        limits.lateness = twin.lateness * 9 / 10
        let server = SimulatorServer(
            dialect: twin.dialect,
            limits: limits,
            webhooks: WebhookSettings(endpoints: [try endpoint(of: twin, at: port)]),
            clock: { clock.now().microseconds / 1000 },
            logger: quiet
        )
        return try await server.start()
    }

    /// Where a twin tells what happened; at another port than the gateway's nobody hears it.
    static func endpoint(of twin: PSPTwin, at port: Int) throws -> WebhookEndpoint {
        try WebhookEndpoint(
            account: twin.account,
            url: "http://127.0.0.1:\(port)/v1/psp/\(twin)/\(twin)/webhooks",
            secret: twin.webhookSecret,
            dialect: twin.dialect.dialect
        )
    }

    private static func ports(
        _ database: any Database,
        _ clock: ManualClock,
        _ transport: HTTPTransport,
        _ keyring: Keyring,
        _ twins: [PSPTwin]
    ) throws -> Gateway.Ports {
        let secrets = Dictionary(
            uniqueKeysWithValues: twins.flatMap { twin in
                twin.credentials.map { ("env:\(twin)/\($0.key)", Secret($0.value)) }
            }
        )
        return Gateway.Ports(
            database: database,
            clock: clock,
            sender: CurlSender(transport),
            vault: Vault(keyring),
            directory: PSPDirectory(psps: AdapterCatalog.psps, database: database) { reference in
                guard let secret = secrets[reference] else { throw HarnessFailure.neverCame(reference) }
                return secret
            },
            presentation: .plain,
            logger: quiet
        )
    }

    /// Writes the marketplace, its accounts and its merchants.
    static func fill(_ database: any Database, _ twins: [PSPTwin], _ servers: [RunningSimulator]) async throws {
        var marketplace = TestMarketplace(id: marketplace, baseURL: "http://127.0.0.1:1")
        let updatedAt = marketplace.accounts[0].updatedAt
        marketplace.accounts = zip(twins, servers).map { twin, server in
            PSPAccount(
                marketplace: marketplace.id,
                id: "\(twin)",
                psp: "\(twin)",
                baseURL: server.baseURL,
                credentials: Dictionary(
                    uniqueKeysWithValues: twin.credentials.keys.map { ($0, "env:\(twin)/\($0)") }
                ),
                updatedAt: updatedAt
            )
        }
        var ids = IdentifierSource()
        marketplace.merchants = twins.map { twin in
            Merchant(
                id: ids.make(at: updatedAt),
                marketplace: marketplace.id,
                externalIdentifier: "\(twin)",
                name: "Merchant at \(twin)",
                kind: .merchant,
                commission: CommissionRule(basisPoints: 1000),
                routes: [
                    Merchant.Route(
                        pspAccount: "\(twin)",
                        merchantAccount: twin.merchantAccount,
                        settlesTo: twin.settlesTo,
                        commissionBy: twin.commissionBy
                    )
                ]
            )
        }
        try await marketplace.write(to: database)
    }

    private static let quiet = Logger(label: "twins") { _ in SwiftLogNoOpLogHandler() }
}
