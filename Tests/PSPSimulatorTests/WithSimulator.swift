import Logging
import PSPSimulator

/// Runs `body` against a simulator on a free port and stops it afterwards.
func withSimulator<Result>(
    books: BooksStorage = .memory,
    stall: Duration = .milliseconds(50),
    webhooks: WebhookSettings = WebhookSettings(),
    _ body: (RunningSimulator, RawClient) async throws -> Result
) async throws -> Result {
    var limits = SimulatorLimits()
    limits.stall = stall
    let logger = Logger(label: "simulator") { _ in SwiftLogNoOpLogHandler() }
    let simulator = try await SimulatorServer(books: books, limits: limits, webhooks: webhooks, logger: logger)
        .start()
    do {
        let result = try await body(simulator, RawClient(port: simulator.port))
        await simulator.stop()
        return result
    } catch {
        await simulator.stop()
        throw error
    }
}
