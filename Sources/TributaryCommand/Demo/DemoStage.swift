import Callbacks
import Checkout
import Domain
import Foundation
import Gateway
import HTTPTransport
import Keyring
import Logging
import PSPSimulator
import SQL
import Settings
import Storage
import StrictJSON
import Synchronization
import TributaryClient
import WalletTwins

/// Everything a demonstration runs on: two PSPs, a database, a gateway, and a checkout that talks to it.
struct DemoStage {
    /// The folder with the database.
    let folder: DemoFolder
    /// The PSPs.
    let simulators: [DemoPSP: RunningSimulator]
    /// The checkout.
    let checkout: DemoCheckout
    /// The gateway, which can be killed and started again.
    let gateway: DemoGateway
    /// Apple's push service, and a buyer's device.
    let wallet: DemoWallet

    /// Sets the stage, lends it, and clears it away whatever happens.
    ///
    /// - Throws: ``CommandFailure`` if something cannot be started, and what `body` throws.
    static func with<Value>(_ body: (DemoStage) async throws -> Value) async throws -> Value {
        let folder = try DemoFolder()
        defer { folder.remove() }
        let transport = HTTPTransport()
        let gateway = DemoGateway(folder)
        var simulators: [DemoPSP: RunningSimulator] = [:]
        var apns: RunningAPNsTwin?
        let result = await Result {
            Console.note("starting two PSP simulators and a gateway …")
            for psp in DemoPSP.allCases {
                simulators[psp] = try await SimulatorServer(logger: .standardError(.error)).start()
            }
            let wallet = try await DemoWallet.start(transport)
            apns = wallet.apns
            let key = try await prepare(folder, simulators, wallet)
            let url = try await gateway.start()
            let checkout = DemoCheckout(transport, gatewayURL: url, apiKey: key)
            return try await body(
                DemoStage(
                    folder: folder,
                    simulators: simulators,
                    checkout: checkout,
                    gateway: gateway,
                    wallet: wallet
                )
            )
        }
        await gateway.stop()
        await transport.stop()
        await apns?.stop()
        for simulator in simulators.values { await simulator.stop() }
        return try result.get()
    }

    /// Makes the database, applies the declaration and makes a key for the checkout.
    private static func prepare(
        _ folder: DemoFolder,
        _ simulators: [DemoPSP: RunningSimulator],
        _ wallet: DemoWallet
    ) async throws -> Secret {
        try folder.writeSettings()
        for file in try wallet.files() { try folder.write(file.bytes, to: file.name) }
        let orders = wallet.declaration(folder.reference)
        let declaration = try DemoFolder.declaration(simulators.mapValues(\.baseURL), orders)
        let keyring = try Keyring(folder.settings, surroundings: folder.surroundings)
        return try await DatabaseUse.migrating.open(folder.settings) { database in
            _ = try await Migrator().migrate(database)
            let surroundings = folder.surroundings
            let apply = Apply(database, by: .commandLine) { SecretStore(keyring, surroundings: surroundings).making }
            _ = try await apply.apply(declaration.document)
            let now = Timestamp(microseconds: try await database.now())
            let marketplace = MarketplaceChoice(declaration.marketplace.id)
            return try await APIKeys(hashedIn: database)
                .create(
                    KeyDraft(named: "demo", [.checkout, .operator]),
                    for: marketplace,
                    by: .commandLine,
                    random: Keyring.makeKey(),
                    at: now
                ).text
        }
    }

    /// Lends a shop whose checkout page places orders of three merchants.
    ///
    /// - Throws: ``CommandFailure`` if it cannot listen, and what `body` throws.
    func withShop(_ body: (_ url: String) async throws -> Void) async throws {
        let client = TributaryClient(baseURL: checkout.gatewayURL, key: checkout.apiKey.reveal())
        let settings = ShopSettings(gatewayURL: checkout.gatewayURL, apiKey: checkout.apiKey, items: Self.items)
        let result = await Result {
            let shop: RunningShop
            do {
                shop = try await ShopServer(settings, client: client, logger: .standardError(.error)).start()
            } catch {
                throw CommandFailure.unusable("the shop cannot listen: \(error)")
            }
            let result = await Result { try await body(shop.url) }
            await shop.stop()
            try result.get()
        }
        await client.close()
        try result.get()
    }

    private static let items: [ShopSettings.Item] = [
        .init(
            merchant: "airline-1",
            merchantName: "Skyways",
            name: "Flight to Lisbon",
            amount: 30_000,
            pspAccount: DemoPSP.alpha.rawValue
        ),
        .init(
            merchant: "hotel-7",
            merchantName: "Grand Hotel",
            name: "Two nights",
            amount: 18_500,
            pspAccount: DemoPSP.beta.rawValue
        ),
        .init(
            merchant: "car-3",
            merchantName: "Open Road",
            name: "A car for two days",
            amount: 9000,
            pspAccount: DemoPSP.alpha.rawValue
        ),
    ]

    /// What a user may try while the stage stands.
    func invitation(to shopURL: String) -> String {
        let url = checkout.gatewayURL
        let key = checkout.apiKey.reveal()
        let order = DemoScenario.paidInFull.order.text.replacing("demo-paid-in-full", with: "my-first-order")
        return """

            Everything is still running. Open \(shopURL)/ in a browser: it is a shop's checkout page.
            Or try:

              curl -s \(url)/v1/orders -H 'Authorization: Bearer \(key)'

              curl -s \(url)/v1/orders -H 'Authorization: Bearer \(key)' -H 'Idempotency-Key: my-first-order' \\
                -H 'Content-Type: application/json' -d '\(order)'

              curl -s \(simulators[.alpha]?.baseURL ?? "")/books

              tributary orders list --database 'sqlite:\(folder.databasePath)'

            Interrupt (Ctrl-C) to end it.
            """
    }
}

/// The temporary folder of a demonstration: database, settings, declaration.
struct DemoFolder {
    /// What the settings name the key-encrypting key's variable.
    private static let keyVariable = "TRIBUTARY_KEY"

    private let url: URL
    /// The variables that its gateway needs: the user's own without Tributary's, and the demonstration's.
    let environment: [String: String]

    /// Makes the folder, readable by nobody else.
    ///
    /// - Throws: ``CommandFailure`` if it cannot be made.
    init() throws(CommandFailure) {
        let name = "tributary-demo-" + String(UInt64.random(in: .min ... .max), radix: 36)
        url = FileManager.default.temporaryDirectory.appendingPathComponent(name)
        var environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("TRIBUTARY_") }
        environment[Self.keyVariable] = Keyring.makeKey().reveal()
        for psp in DemoPSP.allCases { environment[psp.variable] = psp.key }
        self.environment = environment
        do {
            try FileManager.default.createDirectory(
                at: url,
                withIntermediateDirectories: false,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw .unusable("the folder \(url.path) cannot be made")
        }
    }

    /// Removes the folder with all it holds.
    func remove() { try? FileManager.default.removeItem(at: url) }

    /// Where its gateway's settings are.
    var settingsPath: String { url.appendingPathComponent("tributary.yaml").path }

    /// The variables as its gateway sees them, and the files.
    var surroundings: Surroundings {
        Surroundings(environment: environment, readFile: Surroundings.process.readFile)
    }

    /// The database, for commands beside the gateway.
    var settings: ServerSettings {
        var settings = ServerSettings()
        settings.database = .sqlite(path: databasePath)
        return settings
    }

    /// Writes the settings: times short enough to watch.
    ///
    /// - Throws: ``CommandFailure`` if the file cannot be written.
    func writeSettings() throws(CommandFailure) {
        let text = """
            log_level: error
            database: { url: \(JSON.string("sqlite:" + databasePath).text) }
            timings:
              psp_timeout: 3s
              psp_connect_timeout: 1s
              lease: 34s
              unknown_schedule: [300ms, 1s, 2s]
              poll: 50ms
            keyring: { current: k1, keys: { k1: "env:\(Self.keyVariable)" } }

            """
        guard FileManager.default.createFile(atPath: settingsPath, contents: Data(text.utf8)) else {
            throw .unusable("the file \(settingsPath) cannot be written")
        }
    }

    /// Writes a file that only its owner reads.
    ///
    /// - Throws: ``CommandFailure`` if it cannot be written.
    func write(_ bytes: [UInt8], to name: String) throws(CommandFailure) {
        let path = url.appendingPathComponent(name).path
        let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o600]
        guard FileManager.default.createFile(atPath: path, contents: Data(bytes), attributes: attributes) else {
            throw .unusable("the file \(path) cannot be written")
        }
    }

    /// How a declaration refers to a file.
    func reference(_ name: String) -> String {
        JSON.string("file:" + url.appendingPathComponent(name).path).text
    }

    /// What `tributary apply` would be given.
    ///
    /// - Parameters:
    ///   - addresses: where the PSPs are.
    ///   - orders: what it says of orders in Wallet.
    /// - Returns: the declaration.
    /// - Throws: what is wrong with it.
    static func declaration(
        _ addresses: [DemoPSP: String],
        _ orders: String
    ) throws(InvalidConfiguration) -> Declaration {
        let accounts = DemoPSP.allCases.map { psp in
            """
              - id: \(psp.rawValue)
                psp: simulator
                base_url: "\(addresses[psp] ?? "")"
                credentials: { api_key: "env:\(psp.variable)" }
            """
        }
        let text = """
            marketplace: { id: travel, mode: test, name: Travel Now }
            psp_accounts:
            \(accounts.joined(separator: "\n"))
            merchants:
              - external_identifier: airline-1
                name: Skyways
                routes: [{ psp_account: alpha }]
                commission: { basis_points: 1000, fixed: { USD: 30 } }
              - external_identifier: hotel-7
                name: Grand Hotel
                routes: [{ psp_account: beta }]
                commission: { basis_points: 1250 }
              - external_identifier: car-3
                name: Open Road
                routes: [{ psp_account: alpha }]
                commission: { basis_points: 800 }
              - external_identifier: travel
                name: Travel Now
                kind: marketplace
                routes: [{ psp_account: alpha }]
            \(orders)
            """
        return try Declaration.parse(text, file: "the demonstration's declaration")
    }

    /// Where the database is.
    var databasePath: String { url.appendingPathComponent("tributary.sqlite").path }
}

/// The demonstration's gateway: `tributary serve` as a process of its own.
final class DemoGateway: Sendable {
    private struct State {
        var process: ChildProcess?
        var port = 0
    }

    private let folder: DemoFolder
    private let state = Mutex(State())

    init(_ folder: DemoFolder) { self.folder = folder }

    /// Starts it, again on the port it had before, and answers its URL once it listens.
    ///
    /// - Throws: ``CommandFailure`` with what it said, if it does not listen.
    @discardableResult
    func start() async throws -> String {
        let port = state.withLock { $0.port }
        let process = try ChildProcess(
            Self.executable,
            [
                "serve", "--config", folder.settingsPath, "--host", "127.0.0.1", "--port", String(port),
                "--stop-when-stdin-closes",
            ],
            environment: folder.environment
        )
        state.withLock { $0.process = process }
        let prefix = "listening on "
        let line = try await process.line(within: .seconds(20)) { $0.hasPrefix(prefix) }
        let url = String(line.dropFirst(prefix.count))
        state.withLock { $0.port = url.split(separator: ":").last.flatMap { Int($0) } ?? 0 }
        return url
    }

    /// Kills it where it stands, as a power failure would, and answers the number of the process.
    func kill() async -> Int32 {
        guard let process = state.withLock({ $0.process }) else { return 0 }
        await process.kill()
        return process.number
    }

    /// Ends it in good order.
    func stop() async {
        await state.withLock { $0.process }?.stop(within: .seconds(5))
    }

    /// This program.
    private static var executable: String {
        let link = "/proc/self/exe"
        return (try? FileManager.default.destinationOfSymbolicLink(atPath: link)) ?? link
    }
}
