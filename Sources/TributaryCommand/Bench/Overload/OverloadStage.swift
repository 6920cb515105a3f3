import CProcess
import CurlTransport
import Domain
import Foundation
import Keyring
import Logging
import PSPSimulator
import SQL

/// A gateway in a process of its own, on a throwaway database, with a simulated PSP.
struct OverloadStage {
    private static let startTime = Duration.seconds(30)
    /// Connections and requests of the measuring side, so many that it holds nobody back.
    private static let clientLimits = TransportLimits(
        requestsPerHost: 3000,
        requestsInTotal: 3000,
        requestsWaiting: OpenLoad.orderLimit
    )
    private static let descriptors = 16_384

    /// Where the gateway is.
    let url: String
    /// The key that it takes.
    let key: String
    /// The measuring side's way to it.
    let client: CurlTransport
    private let process: ChildProcess

    /// The most memory that the gateway ever had, in megabytes: `VmHWM` of proc(5).
    var peakMegabytes: Double {
        let status = (try? String(contentsOfFile: "/proc/\(process.number)/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
        return Double(line.split(separator: " ").compactMap { Int($0) }.first ?? 0) / 1024
    }

    /// Lends a stage on an empty database, which is open only while it is filled.
    ///
    /// - Throws: ``CommandFailure`` if something cannot be started, and what `body` throws.
    static func with<Store: Database, Value>(
        _ location: String,
        opening open: () async throws -> Store,
        closing close: (Store) async throws -> Void,
        _ body: (OverloadStage) async throws -> Value
    ) async throws -> Value {
        _ = cprocess_raise_descriptor_limit(descriptors)
        let quiet = Logger(label: "bench") { _ in SwiftLogNoOpLogHandler() }
        let simulator = try await SimulatorServer(logger: quiet).start()
        let secret = Keyring.makeKey()
        let key = "tk_bench_" + String(UInt64.random(in: .min ... .max), radix: 36)
        let result = await Result {
            let database = try await open()
            let keyring = try Keyring(current: "k1", keys: ["k1": secret])
            let filled = await Result {
                _ = try await BenchStage(database, psp: .simulator(baseURL: simulator.baseURL), keyring: keyring)
                try await BenchService.allow(key, keyring, in: database)
            }
            try await close(database)
            try filled.get()
            let process = try start(location, secret)
            let client = CurlTransport(limits: clientLimits)
            let result = await Result {
                let prefix = "listening on "
                let line = try await process.line(within: startTime) { $0.hasPrefix(prefix) }
                let url = String(line.dropFirst(prefix.count))
                return try await body(OverloadStage(url: url, key: key, client: client, process: process))
            }
            await client.stop()
            await process.kill()
            return try result.get()
        }
        await simulator.stop()
        return try result.get()
    }

    private static func start(_ location: String, _ secret: Secret) throws(CommandFailure) -> ChildProcess {
        var environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("TRIBUTARY_") }
        environment["TRIBUTARY_DATABASE_URL"] = location
        environment["TRIBUTARY_KEY"] = secret.reveal()
        environment["TRIBUTARY_LOG_LEVEL"] = "critical"
        environment["BENCH"] = "key_bench"
        let link = "/proc/self/exe"
        let program = (try? FileManager.default.destinationOfSymbolicLink(atPath: link)) ?? link
        return try ChildProcess(
            program,
            ["serve", "--host", "127.0.0.1", "--port", "0", "--stop-when-stdin-closes"],
            environment: environment
        )
    }
}
