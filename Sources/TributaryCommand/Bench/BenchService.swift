import Domain
import Gateway
import HTTPAPI
import HTTPTransport
import Keyring
import Logging
import PSPSimulator
import SQL
import Storage
import StrictJSON
import Wiring

/// The whole way: checkouts over HTTP, the gateway, a simulated PSP over HTTP; all on this machine.
enum BenchService {
    /// Loads it with three-payment orders.
    ///
    /// - Throws: what starting the servers throws, or ``CommandFailure`` for an order that is not answered.
    static func load(_ database: some Database, callers: Int, seconds: Int) async throws -> LoadResult {
        let quiet = Logger(label: "bench") { _ in SwiftLogNoOpLogHandler() }
        let simulator = try await SimulatorServer(logger: quiet).start()
        let transport = HTTPTransport()
        let result = await Result {
            try await serve(database, simulator, transport, quiet) { url, key in
                let client = HTTPTransport()
                let result = await Result {
                    try await OrderLoad(callers: callers, seconds: seconds, perSecond: nil).run {
                        try await place(url, key, client)
                    }
                }
                await client.stop()
                return try result.get()
            }
        }
        await transport.stop()
        await simulator.stop()
        return try result.get()
    }

    private static func serve(
        _ database: some Database,
        _ simulator: RunningSimulator,
        _ transport: HTTPTransport,
        _ logger: Logger,
        _ body: @escaping @Sendable (_ url: String, _ key: String) async throws -> LoadResult
    ) async throws -> LoadResult {
        try await repoint(database, to: simulator.baseURL)
        let stage = try await BenchStage(
            database,
            psp: .simulator(baseURL: simulator.baseURL),
            sender: CurlSender(transport)
        )
        let key = "tk_bench_" + String(UInt64.random(in: .min ... .max), radix: 36)
        try await allow(key, stage.keys, in: database)
        let server = APIServer(
            gateway: stage.gateway(over: database),
            keyring: stage.keys,
            limits: APILimits(),
            logger: logger
        )
        let (ports, continuation) = AsyncStream<Int>.makeStream()
        return try await withThrowingTaskGroup(of: LoadResult?.self) { group in
            group.addTask {
                try await server.run(host: "127.0.0.1", port: 0) { continuation.yield($0) }
                return nil
            }
            group.addTask {
                guard let port = await ports.first(where: { _ in true }) else { return nil }
                return try await body("http://127.0.0.1:\(port)", key)
            }
            defer { group.cancelAll() }
            while let finished = try await group.next() {
                if let finished { return finished }
            }
            throw CommandFailure.unusable("the server stopped by itself")
        }
    }

    private static func repoint(_ database: some Database, to url: String) async throws {
        let now = Timestamp(microseconds: try await database.now())
        try await database.write { session in
            for var account in try PSPAccountTable.read(session.rows(PSPAccountTable.all(of: BenchStage.marketplace))) {
                account.baseURL = url
                account.updatedAt = now
                try PSPAccountTable.save(account, in: session)
            }
        }
    }

    /// Lets whoever shows a key place orders.
    static func allow(_ key: String, _ keyring: Keyring, in database: some Database) async throws {
        let now = Timestamp(microseconds: try await database.now())
        try await database.write { session in
            var ids = IdentifierSource()
            try APIKeyTable.insert(
                APIKeyTable.Key(
                    id: ids.make(at: now),
                    marketplace: BenchStage.marketplace,
                    scopes: ["checkout"],
                    createdAt: now
                ),
                hash: keyring.hashes(of: Array(key.utf8), purpose: "api-key").first ?? "",
                in: session
            )
        }
    }

    private static func place(_ url: String, _ key: String, _ client: HTTPTransport) async throws {
        guard case .reply(let reply) = await client.send(order(url, key)), reply.status == 201 else {
            throw CommandFailure.finding("an order was not answered with 201")
        }
    }

    /// A request for a three-payment order.
    static func order(_ url: String, _ key: String, token: String = "tok_approve") -> HTTPRequest {
        let name = "bench-" + String(UInt64.random(in: .min ... .max), radix: 36)
        let contexts: [JSON] = (0..<3).map { index in
            [
                "external_identifier": .string("merchant-\(index)"), "amount": .integer(Int64(index + 1) * 1000),
                "payment": ["type": "psp_token", "token": .string(token), "psp_account": .string("psp-\(index)")],
            ]
        }
        let body: JSON = [
            "reference": .string(name), "currency": "USD", "amount": 6000, "policy": ["type": "all_or_nothing"],
            "contexts": .array(contexts),
        ]
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
}
