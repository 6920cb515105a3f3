import Logging
import PSPSimulator

/// Runs `body` against a simulator on a free port and stops it afterwards.
func withSimulator<Result>(
    dialect: DialectName = .simulator,
    books: BooksStorage = .memory,
    stall: Duration = .milliseconds(50),
    webhooks: WebhookSettings = WebhookSettings(),
    _ body: (RunningSimulator, RawClient) async throws -> Result
) async throws -> Result {
    var limits = SimulatorLimits()
    limits.stall = stall
    let logger = Logger(label: "simulator") { _ in SwiftLogNoOpLogHandler() }
    let server = SimulatorServer(dialect: dialect, books: books, limits: limits, webhooks: webhooks, logger: logger)
    let simulator = try await server.start()
    do {
        let result = try await body(simulator, RawClient(port: simulator.port))
        await simulator.stop()
        return result
    } catch {
        await simulator.stop()
        throw error
    }
}
