import Logging
import NIOCore
import NIOPosix
import PSPSimulator
import StrictJSON
import Testing

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

extension RunningSimulator {
    /// The account's authorizations as they will be a minute from now, when all that is worked on is done.
    func settled(_ account: String) async -> [Authorization] {
        await read { books, now in books.authorizations(of: account, at: now + 60_000) }
    }

    /// The account's only authorization as it will be a minute from now.
    func settledOnly(_ account: String) async throws -> Authorization {
        let found = await settled(account)
        try #require(found.count == 1)
        return found[0]
    }
}

/// An HTTP client that keeps every byte of what comes back, so that tests can tell a reply from half of one.
struct RawClient {
    let port: Int
    var key = "key_shop"

    /// Sends a request on a connection of its own and reads until the server closes it.
    func send(
        _ method: String,
        _ path: String,
        headers: [String] = [],
        body: String = ""
    ) async throws -> RawReply {
        let head =
            ["\(method) \(path) HTTP/1.1", "Host: 127.0.0.1:\(port)", "Connection: close"]
            + (key.isEmpty ? [] : ["Authorization: Bearer \(key)"]) + headers
            + (method == "POST" ? ["Content-Length: \(body.utf8.count)"] : [])
        let bytes = try await exchange(head.joined(separator: "\r\n") + "\r\n\r\n" + body)
        return RawReply(bytes: bytes)
    }

    /// Reads with GET.
    func get(_ path: String) async throws -> RawReply { try await send("GET", path) }

    /// Posts JSON under an idempotency key.
    func post(_ path: String, key: String, _ body: JSON) async throws -> RawReply {
        try await send("POST", path, headers: ["Idempotency-Key: \(key)"], body: body.text)
    }

    /// Authorizes 1000 USD under a key named like the reference.
    func authorize(_ token: String, reference: String, amount: Int64 = 1000) async throws -> RawReply {
        try await post("/v1/authorizations", key: "key-\(reference)", Self.body(token, reference, amount: amount))
    }

    /// The body of an authorization.
    static func body(_ token: String, _ reference: String, amount: Int64 = 1000) -> JSON {
        [
            "reference": .string(reference), "amount": .integer(amount), "currency": "USD", "token": .string(token),
        ]
    }

    private func exchange(_ request: String) async throws -> [UInt8] {
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        return try await channel.executeThenClose { inbound, outbound in
            try await outbound.write(ByteBuffer(string: request))
            var bytes: [UInt8] = []
            for try await part in inbound { bytes += Array(part.readableBytesView) }
            return bytes
        }
    }
}

/// What came back on a connection until the server closed it.
struct RawReply: Sendable {
    let bytes: [UInt8]

    /// Everything as text.
    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The status of the first reply; nil if there was none.
    var status: Int? {
        let line = text.prefix { $0 != "\r\n" }.split(separator: " ")
        return line.count > 1 && line[0] == "HTTP/1.1" ? Int(line[1]) : nil
    }

    /// The text after the first head.
    var body: String {
        guard let end = text.firstRange(of: "\r\n\r\n") else { return "" }
        return String(text[end.upperBound...])
    }

    /// The body, if it is JSON.
    var json: JSON? { try? JSON.parse(text: body) }

    /// The value of a field of the first head.
    func header(_ name: String) -> String? {
        let head = text.components(separatedBy: "\r\n").prefix { !$0.isEmpty }
        let field = head.first { $0.lowercased().hasPrefix(name.lowercased() + ":") }
        return field.map { String($0.dropFirst(name.count + 1).drop { $0 == " " }) }
    }
}

extension String {
    fileprivate func components(separatedBy separator: String) -> [Substring] {
        split(separator: separator, omittingEmptySubsequences: false)
    }
}
