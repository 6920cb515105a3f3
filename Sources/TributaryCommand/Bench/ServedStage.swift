import CProcess
import Domain
import Foundation
import HTTPTransport
import Keyring
import SQL
import StrictJSON

/// A gateway and a simulated PSP, each in a process of its own, on a throwaway database.
///
/// The measuring side does nothing else, so that what it waits for is the gateway.
struct ServedStage {
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
    let client: HTTPTransport
    /// Where the simulated PSP is.
    let psp: String
    private let process: ChildProcess
    private let settings: [String: String]

    /// The system's number for the gateway's process.
    var processNumber: Int32 { process.number }

    /// The most memory that the gateway ever had, in megabytes: `VmHWM` of proc(5).
    var peakMegabytes: Double {
        let status = (try? String(contentsOfFile: "/proc/\(process.number)/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
        return Double(line.split(separator: " ").compactMap { Int($0) }.first ?? 0) / 1024
    }

    /// How long the gateway had a processor so far, in milliseconds: `utime` and `stime` of proc(5), in hundredths of a second.
    var processorMilliseconds: Double { ProcessorTime.milliseconds(of: process.number) }

    /// Lends a stage on a database that is empty or has a ``BenchStage`` in it; it is open only while it is filled.
    ///
    /// - Parameters:
    ///   - location: the database, as the settings name it.
    ///   - secret: the key `k1` of the ring.
    ///   - settings: what the gateway is set to beside that, by the names of the environment's variables.
    ///   - open: opens the database.
    ///   - close: closes it.
    ///   - body: what to do with the stage.
    /// - Returns: what `body` returns.
    /// - Throws: ``CommandFailure`` if something cannot be started, and what `body` throws.
    static func with<Store: Database, Value>(
        _ location: String,
        secret: Secret = Keyring.makeKey(),
        settings: [String: String] = [:],
        opening open: () async throws -> Store,
        closing close: (Store) async throws -> Void,
        _ body: (ServedStage) async throws -> Value
    ) async throws -> Value {
        _ = cprocess_raise_descriptor_limit(descriptors)
        let key = "tk_bench_" + String(UInt64.random(in: .min ... .max), radix: 36)
        return try await withSimulator { psp in
            let database = try await open()
            let keyring = try Keyring(current: "k1", keys: ["k1": secret])
            let filled = await Result {
                let stage = try await BenchStage(database, psp: .instant, keyring: keyring)
                try await stage.repoint(to: psp)
                try await stage.allow(key)
            }
            try await close(database)
            try filled.get()
            // The books of whatever was measured on this database before are not verified at this gateway's expense.
            let base = [
                "TRIBUTARY_LEDGER_VERIFY_EVERY": "0s", "TRIBUTARY_RATE_LIMITS_KEY_PER_SECOND": "0",
                "TRIBUTARY_DATABASE_URL": location, "TRIBUTARY_KEY": secret.reveal(),
                "TRIBUTARY_LOG_LEVEL": "critical", "BENCH": "key_bench",
            ]
            let client = HTTPTransport(limits: clientLimits)
            let result = await Result {
                try await start(base.merging(settings) { $1 }, key: key, client: client, psp: psp, body)
            }
            await client.stop()
            return try result.get()
        }
    }

    /// Lends another gateway beside this one, or in its place, with the same settings.
    ///
    /// - Throws: ``CommandFailure`` if it cannot be started, and what `body` throws.
    func withAnother<Value>(_ body: (ServedStage) async throws -> Value) async throws -> Value {
        try await Self.start(settings, key: key, client: client, psp: psp, body)
    }

    /// Lends the address of a simulated PSP in a process of its own.
    ///
    /// - Throws: ``CommandFailure`` if it cannot be started, and what `body` throws.
    static func withSimulator<Value>(_ body: (String) async throws -> Value) async throws -> Value {
        let (simulator, url) = try await serving(["simulate-psp", "--port", "0"], [:])
        let result = await Result { try await body(url) }
        await simulator.kill()
        return try result.get()
    }

    /// Kills the gateway (SIGKILL) and returns when it is gone.
    func kill() async { await process.kill() }

    private static func start<Value>(
        _ settings: [String: String],
        key: String,
        client: HTTPTransport,
        psp: String,
        _ body: (ServedStage) async throws -> Value
    ) async throws -> Value {
        let (process, url) = try await serving(
            ["serve", "--host", "127.0.0.1", "--port", "0", "--stop-when-stdin-closes"],
            settings
        )
        let stage = ServedStage(url: url, key: key, client: client, psp: psp, process: process, settings: settings)
        let result = await Result { try await body(stage) }
        await process.kill()
        return try result.get()
    }

    /// A request for a three-payment order.
    func order(token: String = "tok_approve") -> HTTPRequest {
        let contexts = (0..<3).map { Self.context($0, token: token, pspAccount: "psp-\($0)") }
        return request(contexts, [:])
    }

    /// A request for an order of one payment that its PSP never answers, and that its caller does not wait for; the number
    /// says which of the PSP's accounts it goes to, counted on and on.
    func hangingOrder(_ number: Int) -> HTTPRequest {
        let account = number % BenchStage.accounts
        let name = BenchStage.hangingAccount(account)
        let context = Self.context(account, token: "tok_never", pspAccount: name)
        return request([context], ["deadline_ms": 1000, "on_deadline": "continue"])
    }

    private static func context(_ index: Int, token: String, pspAccount: String) -> JSON {
        [
            "external_identifier": .string("merchant-\(index)"), "amount": .integer(Int64(index + 1) * 1000),
            "payment": ["type": "psp_token", "token": .string(token), "psp_account": .string(pspAccount)],
        ]
    }

    private func request(_ contexts: [JSON], _ terms: [String: JSON]) -> HTTPRequest {
        let name = "bench-" + String(UInt64.random(in: .min ... .max), radix: 36)
        let amount = contexts.reduce(0) { $0 + ($1["amount"]?.integerValue ?? 0) }
        let members: [JSON.Member] = [
            .init("reference", .string(name)), .init("currency", "USD"), .init("amount", .integer(amount)),
            .init("policy", ["type": "all_or_nothing"]), .init("contexts", .array(contexts)),
        ]
        let body = JSON.object(members + terms.sorted { $0.key < $1.key }.map { JSON.Member($0.key, $0.value) })
        var request = HTTPRequest(
            .post,
            url + "/v1/orders",
            headers: [
                HTTPHeader("Authorization", "Bearer \(key)"), HTTPHeader("Idempotency-Key", name),
                HTTPHeader("Content-Type", "application/json"),
            ],
            body: body.bytes
        )
        request.allowPlainHTTPToLoopback = true
        return request
    }

    /// Places a three-payment order.
    ///
    /// - Throws: ``CommandFailure`` unless it is answered with 201.
    func place() async throws {
        guard case .reply(let reply) = await client.send(order()), reply.status == 201 else {
            throw CommandFailure.finding("an order was not answered with 201")
        }
    }

    /// Starts this program as a server, and says where it listens.
    private static func serving(
        _ arguments: [String],
        _ settings: [String: String]
    ) async throws -> (ChildProcess, url: String) {
        let environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("TRIBUTARY_") }
        let link = "/proc/self/exe"
        let program = (try? FileManager.default.destinationOfSymbolicLink(atPath: link)) ?? link
        let process = try ChildProcess(program, arguments, environment: environment.merging(settings) { $1 })
        do {
            let prefix = "listening on "
            let line = try await process.line(within: startTime) { $0.hasPrefix(prefix) }
            return (process, String(line.dropFirst(prefix.count)))
        } catch {
            await process.kill()
            throw error
        }
    }
}
