package import Domain
package import Gateway
import HTTPTransport
import Keyring
import Logging
package import PSPSimulator
package import SQL
import Wiring

/// Simulated PSPs on free ports of the loopback interface, reached over real connections.
package struct SimulatedPSPs: Sendable {
    /// The servers, one for each PSP account: `sim-a`, `sim-b`, `sim-c`.
    package let servers: [RunningSimulator]
    private let transport: HTTPTransport

    /// Lends three of them.
    package static func with(_ body: (SimulatedPSPs) async throws -> Void) async throws {
        var limits = SimulatorLimits()
        limits.stall = .seconds(5)
        var servers: [RunningSimulator] = []
        for _ in 0..<3 { servers.append(try await SimulatorServer(limits: limits, logger: Self.quiet).start()) }
        let psps = SimulatedPSPs(servers: servers, transport: HTTPTransport())
        let result: Result<Void, any Error>
        do { result = .success(try await body(psps)) } catch { result = .failure(error) }
        await psps.transport.stop()
        for server in servers { await server.stop() }
        try result.get()
    }

    /// The travel agency with its accounts at these PSPs.
    package var marketplace: TestMarketplace {
        var marketplace = TestMarketplace.travel
        for (index, server) in servers.enumerated() { marketplace.accounts[index].baseURL = server.baseURL }
        return marketplace
    }

    /// What a gateway over these PSPs and a database needs.
    ///
    /// - Throws: `SQLError` or `KeyringError`.
    package func ports(over database: any Database, clock: any GatewayClock) throws -> Gateway.Ports {
        Gateway.Ports(
            database: database,
            clock: clock,
            sender: CurlSender(transport),
            vault: Vault(try Keyring.fresh()),
            directory: PSPDirectory(psps: AdapterCatalog.psps, database: database) { _ in Secret("key_test") },
            presentation: .plain,
            logger: Self.quiet
        )
    }

    /// How many requests that move money reached the PSPs' books, repetitions included.
    package func requests() async -> Int {
        var count = 0
        for server in servers { count += await server.read { books, _ in books.requests } }
        return count
    }

    /// What is wrong with the PSPs' books, by themselves and compared with orders.
    package func complaints(comparing orders: [Order]) async -> [String] {
        var complaints: [String] = []
        var books: [BookedAuthorization] = []
        for server in servers {
            complaints += await server.read { books, _ in books.violations }
            books += await server.authorizations(of: "test").map { BookedAuthorization($0) }
        }
        return complaints + BooksCheck.complaints(comparing: orders, with: books)
    }

    private static let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
}
