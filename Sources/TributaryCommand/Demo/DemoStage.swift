import Callbacks
import CurlTransport
import Domain
import Keyring
import Logging
import PSPSimulator
import SQL
import Settings
import Storage
import StrictJSON

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

    /// Sets the stage, lends it, and clears it away whatever happens.
    ///
    /// - Throws: ``CommandFailure`` if something cannot be started, and what `body` throws.
    static func with<Value>(_ body: (DemoStage) async throws -> Value) async throws -> Value {
        let folder = try DemoFolder()
        defer { folder.remove() }
        let transport = CurlTransport()
        let gateway = DemoGateway(folder)
        var simulators: [DemoPSP: RunningSimulator] = [:]
        let result = await Result {
            Console.note("starting two PSP simulators and a gateway …")
            for psp in DemoPSP.allCases {
                simulators[psp] = try await SimulatorServer(logger: .standardError(.error)).start()
            }
            let key = try await prepare(folder, simulators)
            let url = try await gateway.start()
            let checkout = DemoCheckout(transport, gatewayURL: url, apiKey: key)
            return try await body(
                DemoStage(folder: folder, simulators: simulators, checkout: checkout, gateway: gateway)
            )
        }
        await gateway.stop()
        await transport.stop()
        for simulator in simulators.values { await simulator.stop() }
        return try result.get()
    }

    /// Makes the database, applies the declaration and makes a key for the checkout.
    private static func prepare(_ folder: DemoFolder, _ simulators: [DemoPSP: RunningSimulator]) async throws -> Secret
    {
        try folder.writeSettings()
        let declaration = try DemoFolder.declaration(simulators.mapValues(\.baseURL))
        let keyring = try Keyring(folder.settings, surroundings: folder.surroundings)
        return try await DatabaseUse.migrating.open(folder.settings) { database in
            _ = try await Migrator().migrate(database)
            let store = DeclarationStore(database) { SecretStore(keyring, surroundings: folder.surroundings) }
            _ = try await store.apply(declaration, [], isDryRun: false)
            let now = Timestamp(microseconds: try await database.now())
            let marketplace = declaration.marketplace.id
            return try await database.write { session in
                try NewAPIKey.make(for: marketplace, [.checkout, .operator], under: keyring, at: now, in: session).text
            }
        }
    }

    /// What a user may try while the stage stands.
    var invitation: String {
        let url = checkout.gatewayURL
        let key = checkout.apiKey.reveal()
        let order = DemoScenario.paidInFull.order.text.replacing("demo-paid-in-full", with: "my-first-order")
        return """

            Everything is still running. Try:

              curl -s \(url)/v1/orders -H 'Authorization: Bearer \(key)'

              curl -s \(url)/v1/orders -H 'Authorization: Bearer \(key)' -H 'Idempotency-Key: my-first-order' \\
                -H 'Content-Type: application/json' -d '\(order)'

              curl -s \(simulators[.alpha]?.baseURL ?? "")/books

              tributary orders list --database 'sqlite:\(folder.databasePath)'

            Interrupt (Ctrl-C) to end it.
            """
    }
}
