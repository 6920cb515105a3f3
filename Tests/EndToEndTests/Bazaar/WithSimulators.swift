import Logging
import PSPSimulator

/// Lends running PSP simulators, each with books of its own.
func withSimulators<Value>(
    _ count: Int,
    _ body: ([RunningSimulator]) async throws -> Value
)
    async throws -> Value
{
    let quiet = Logger(label: "simulator") { _ in SwiftLogNoOpLogHandler() }
    var simulators: [RunningSimulator] = []
    let result: Result<Value, any Error>
    do {
        for _ in 0..<count { simulators.append(try await SimulatorServer(logger: quiet).start()) }
        result = .success(try await body(simulators))
    } catch {
        result = .failure(error)
    }
    for simulator in simulators { await simulator.stop() }
    return try result.get()
}
