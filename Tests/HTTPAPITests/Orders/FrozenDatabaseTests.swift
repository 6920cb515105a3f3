import Domain
import Gateway
import NIOCore
import NIOPosix
import SQL
import Storage
import StrictJSON
import Testing
import TributaryTestKit

@Suite("A PostgreSQL server that is frozen", .timeLimit(.minutes(10)))
struct FrozenDatabaseTests {
    private static let deadlineMilliseconds: Int64 = 5000
    /// What an answer may take: the deadline, and what a busy machine adds; whoever waits for the server takes longer.
    private static let limitMilliseconds = deadlineMilliseconds + 15_000
    private static let order = OrderBody.trip.with("deadline_ms", .integer(deadlineMilliseconds))

    /// Lends an API on a server that may be frozen, and a client that may order.
    private static func serving(
        _ body: @escaping @Sendable (OwnPostgres, APIHarness, APIClient) async throws -> Void
    ) async throws {
        try await OwnPostgres.with(prepare: .travel) { server, database in
            try await APIHarness.with(database) { api in
                let client = try await api.client("checkout", "operator")
                let result: Result<Void, any Error>
                do { result = .success(try await body(server, api, client)) } catch { result = .failure(error) }
                // Nothing that ends the test may wait for it.
                server.thaw()
                try result.get()
            }
        }
    }

    /// What `body` comes to, and how many milliseconds it took.
    private static func timed<Value: Sendable>(
        _ body: @Sendable () async throws -> Value
    ) async throws -> (Value, Int64) {
        let begin = ContinuousClock.now
        let value = try await body()
        return (value, Int64((begin.duration(to: .now) / .milliseconds(1)).rounded()))
    }

    /// Sends the order again until it is decided: its key finds what was written down, or orders.
    private static func ordered(_ client: APIClient, key: String) async throws -> APIReply {
        var reply = try await client.post("/v1/orders", Self.order, key: key)
        for _ in 0..<20 where reply.status != 201 {
            #expect([202, 503].contains(reply.status), "\(reply)")
            reply = try await client.post("/v1/orders", Self.order, key: key)
        }
        return reply
    }

    /// Whether no key was used yet.
    private static func isUnused(_ api: APIHarness) async throws -> Bool {
        try await api.database.read { session in try APIKeyTable.all(in: session).allSatisfy { $0.lastUsedAt == nil } }
    }

    @Test("is answered for within the buyer's deadline when it does not know the key, and nothing is ordered twice")
    func lookup() async throws {
        try await Self.serving { server, api, client in
            try server.freeze()
            let (reply, milliseconds) = try await Self.timed {
                try await client.post("/v1/orders", Self.order, key: "a")
            }
            #expect((reply.status, reply.code) == (503, "unavailable"), "\(reply)")
            #expect(milliseconds <= Self.limitMilliseconds, "\(milliseconds) ms")
            #expect(reply.header("Retry-After") == "1")
            server.thaw()
            let placed = try await Self.ordered(client, key: "a")
            #expect(placed.status == 201, "\(placed)")
            let again = try await client.post("/v1/orders", Self.order, key: "a")
            #expect(again.bytes == placed.bytes && again.header("Idempotent-Replayed") == "true")
            #expect(try await client.get("/v1/orders").json["data"]?.arrayValue?.count == 1)
            #expect(await api.psp.count(.authorize, "tok_airline") == 1)
        }
    }

    @Test("is answered for within the buyer's deadline when it does not write the order down")
    func placing() async throws {
        try await Self.serving { server, api, client in
            let slow = try SlowOrder(Self.order, key: "a", of: client, at: api.port)
            let (reply, milliseconds) = try await slow.send {
                // The key is looked up before the body comes, and its use is written down behind that.
                while try await Self.isUnused(api) { try await Task.sleep(for: .milliseconds(5)) }
                try server.freeze()
            }
            #expect(reply.hasPrefix("HTTP/1.1 503 ") && reply.contains("\"code\":\"unavailable\""), "\(reply)")
            #expect(milliseconds <= Self.limitMilliseconds, "\(milliseconds) ms")
            server.thaw()
            let placed = try await Self.ordered(client, key: "a")
            #expect(placed.status == 201, "\(placed)")
            let list = try await client.get("/v1/orders")
            #expect(list.json["data"]?.arrayValue?.count == 1, "\(list)")
            #expect(await api.psp.count(.authorize, "tok_airline") == 1)
        }
    }

    @Test("is answered for soon behind the deadline of an order that is written down, which goes on")
    func waiting() async throws {
        try await Self.serving { server, api, client in
            await api.psp.always("tok_airline", .authorize, .held)
            async let first = Self.timed { try await client.post("/v1/orders", Self.order, key: "a") }
            try await api.psp.arrival(of: .authorize, "tok_airline")
            try server.freeze()
            let (reply, milliseconds) = try await first
            #expect([202, 503].contains(reply.status), "\(reply)")
            let grace = GatewayHarness.settings.rules.graceMilliseconds
            #expect(milliseconds <= Self.limitMilliseconds + grace, "\(milliseconds) ms")
            server.thaw()
            await api.psp.always("tok_airline", .authorize, nil)
            await api.psp.release("tok_airline", .authorize)
            let placed = try await Self.ordered(client, key: "a")
            #expect(placed.status == 201, "\(placed)")
            let list = try await client.get("/v1/orders")
            #expect(list.json["data"]?.arrayValue?.count == 1, "\(list)")
            #expect(await api.psp.count(.authorize, "tok_airline") == 1)
        }
    }
}

/// An order whose body comes later than its head.
private struct SlowOrder {
    private let head: String
    private let body: String
    private let port: Int

    init(_ order: JSON, key: String, of client: APIClient, at port: Int) throws {
        let shown = try #require(client.key)
        body = order.text
        head = """
            POST /v1/orders HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\n\
            Authorization: Bearer \(shown)\r\nIdempotency-Key: \(key)\r\nContent-Length: \(body.utf8.count)\r\n\r\n
            """
        self.port = port
    }

    /// Sends the head, does something, and sends the body.
    ///
    /// - Returns: what was answered, and how many milliseconds behind the head.
    func send(between: @Sendable () async throws -> Void) async throws -> (String, Int64) {
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        return try await channel.executeThenClose { inbound, outbound in
            let begin = ContinuousClock.now
            try await outbound.write(ByteBuffer(string: head))
            try await between()
            try await outbound.write(ByteBuffer(string: body))
            var bytes: [UInt8] = []
            for try await part in inbound { bytes += Array(part.readableBytesView) }
            let milliseconds = Int64((begin.duration(to: .now) / .milliseconds(1)).rounded())
            return (String(decoding: bytes, as: UTF8.self), milliseconds)
        }
    }
}
