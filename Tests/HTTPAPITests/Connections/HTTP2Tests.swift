import Foundation
import HTTPAPI
import Keyring
import Logging
import StrictJSON
import Testing
import TributaryTestKit

@Suite("HTTP/2", .timeLimit(.minutes(10)))
struct HTTP2Tests {
    private typealias Frame = RawHTTP2.Frame

    private static func server(
        _ api: APIHarness,
        _ authority: TestAuthority,
        _ connections: ConnectionLimits,
        rates: RateLimits = .none
    ) throws -> APIServer {
        let files = try authority.issue(.localhost)
        func bytes(_ path: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(filePath: path))) }
        var limits = APIHarness.limits
        limits.connections = connections
        return APIServer(
            gateway: api.gateway,
            fingerprints: try Fingerprints(key: Keyring.makeKey()),
            limits: limits,
            tls: try ServerTLS(certificates: bytes(files.certificate), key: bytes(files.key)),
            rates: rates,
            logger: Logger(label: "api") { _ in SwiftLogNoOpLogHandler() }
        )
    }

    private static func serving(
        _ connections: ConnectionLimits = ConnectionLimits(),
        rates: RateLimits = .none,
        _ body: @Sendable (_ api: APIHarness, _ port: Int, _ authority: TestAuthority) async throws -> Void
    ) async throws {
        let authority = try TestAuthority()
        try await APIHarness.with(.sqlite) { api in
            let server = try Self.server(api, authority, connections, rates: rates)
            let result = await APIHarness.serving(server) { port in try await body(api, port, authority) }
            try result.get()
        }
    }

    private static func get(_ path: String, on stream: UInt32) -> Frame {
        let flags = RawHTTP2.endHeaders | RawHTTP2.endStream
        return Frame(.headers, flags: flags, stream: stream, RawHTTP2.head("GET", path))
    }

    /// Whether the server still answers others.
    private static func answers(_ port: Int, _ authority: TestAuthority) async -> Bool {
        var isAnswered = false
        try? await RawHTTP2.with(port: port, trusting: authority) { connection in
            try await connection.write(get("/livez", on: 1))
            let frames = try await connection.frames { $0.kind == .data && $0.flags & RawHTTP2.endStream != 0 }
            // 0x88 is `:status: 200` (RFC 7541, appendix A).
            isAnswered = frames.contains { $0.kind == .headers && $0.payload.first == 0x88 }
        }
        return isAnswered
    }

    /// Frames that no client needs, and too many of them.
    private static let floods: [(name: String, frames: [RawHTTP2.Frame])] = [
        ("pings", (0..<300).map { _ in Frame(.ping, [UInt8](repeating: 7, count: 8)) }),
        ("settings", (0..<300).map { _ in Frame(.settings) }),
        ("priorities", (0..<300).map { _ in Frame(.priority, stream: 1, [0, 0, 0, 3, 16]) }),
        (
            "resets",
            (0..<300).flatMap { number -> [Frame] in
                let stream = UInt32(2 * number + 1)
                return [get("/livez", on: stream), Frame(.reset, stream: stream, RawHTTP2.bytes(of: 8))]
            }
        ),
        (
            "a head that never ends",
            [Frame(.headers, flags: RawHTTP2.endStream, stream: 1, RawHTTP2.head("GET", "/livez"))]
                + (0..<20).map { _ in Frame(.continuation, stream: 1, RawHTTP2.head("GET", "/livez")) }
        ),
        (
            "empty data",
            [Frame(.headers, flags: RawHTTP2.endHeaders, stream: 1, RawHTTP2.head("POST", "/v1/orders"))]
                + (0..<100).map { _ in Frame(.data, stream: 1) }
        ),
        ("no preface's frame", [Frame(.data, stream: 0, [1])]),
    ]

    @Test("ends a connection that floods it, and serves the others", arguments: floods.map(\.name))
    func flood(_ name: String) async throws {
        let frames = try #require(Self.floods.first { $0.name == name }).frames
        try await Self.serving { _, port, authority in
            try await RawHTTP2.with(port: port, trusting: authority) { connection in
                try await connection.write(frames)
                let heard = try await connection.frames()
                #expect(heard.contains { $0.kind == .goAway && $0.error != 0 }, "\(heard)")
            }
            #expect(await Self.answers(port, authority))
        }
    }

    @Test("serves a hundred streams of a connection at once, and no more")
    func streams() async throws {
        try await Self.serving { _, port, authority in
            try await RawHTTP2.with(port: port, trusting: authority) { connection in
                let settings = try #require(try await connection.next())
                // SETTINGS_MAX_CONCURRENT_STREAMS
                #expect(settings.payload.starts(with: [0, 3, 0, 0, 0, 100]), "\(settings)")
                let head = RawHTTP2.head("POST", "/v1/psp/simulator/sim-a/webhooks")
                let open = (0...100).map { Frame(.headers, flags: 4, stream: UInt32(2 * $0 + 1), head) }
                try await connection.write(open)
                let frames = try await connection.frames { $0.kind == .reset || $0.kind == .goAway }
                let refusal = try #require(frames.last)
                #expect(refusal.kind == .goAway || refusal.stream == 201, "\(refusal)")
            }
            #expect(await Self.answers(port, authority))
        }
    }

    @Test("has no more streams open, over all connections, than there may be connections")
    func manyConnections() async throws {
        try await Self.serving(ConnectionLimits(connections: 3)) { _, port, authority in
            let head = RawHTTP2.head("POST", "/v1/psp/simulator/sim-a/webhooks")
            try await RawHTTP2.with(port: port, trusting: authority) { first in
                try await first.write((0..<3).map { Frame(.headers, flags: 4, stream: UInt32(2 * $0 + 1), head) })
                try await first.write(Frame(.ping, [UInt8](repeating: 1, count: 8)))
                _ = try await first.frames { $0.kind == .ping && $0.flags & RawHTTP2.acknowledgement != 0 }
                try await RawHTTP2.with(port: port, trusting: authority) { second in
                    try await second.write(Self.get("/livez", on: 1))
                    let refused = try await second.frames { $0.kind == .reset || $0.kind == .data }
                    // REFUSED_STREAM
                    #expect(refused.last?.error == 7, "\(refused)")
                    try await first.write(Frame(.reset, stream: 1, RawHTTP2.bytes(of: 8)))
                    var served: [Frame] = []
                    for number in UInt32(1)...100 where !served.contains(where: { $0.kind == .headers }) {
                        try await second.write(Self.get("/livez", on: 2 * number + 1))
                        served = try await second.frames(of: [2 * number + 1])
                    }
                    #expect(served.contains { $0.kind == .headers && $0.payload.first == 0x88 }, "\(served)")
                }
            }
        }
    }

    @Test("reads a body that may be left out, though nothing says how long it is")
    func optionalBody() async throws {
        try await Self.serving { api, port, authority in
            let stage = try await OrderStage(api)
            let key = try #require(stage.client.key)
            let fields = [("authorization", "Bearer \(key)"), ("content-type", "application/json")]
            let head = RawHTTP2.head("POST", "/v1/orders/\(stage.order)/wait", fields)
            try await RawHTTP2.with(port: port, trusting: authority) { connection in
                try await connection.write(
                    Frame(.headers, flags: 4, stream: 1, head),
                    Frame(.data, flags: 1, stream: 1, Array(#"{"after_version":"one"}"#.utf8))
                )
                let frames = try await connection.frames(of: [1])
                #expect(RawHTTP2.body(frames, of: 1).contains("/after_version"), "\(frames)")
            }
        }
    }

    @Test("answers a body that is too slow, and goes on with the other streams")
    func slow() async throws {
        let hasty = ConnectionLimits(graceMilliseconds: 300, lingerMilliseconds: 200)
        try await Self.serving(hasty) { _, port, authority in
            try await RawHTTP2.with(port: port, trusting: authority) { connection in
                let head = RawHTTP2.head("POST", "/v1/psp/simulator/sim-a/webhooks")
                try await connection.write(Frame(.headers, flags: 4, stream: 1, head))
                let frames = try await connection.frames { $0.kind == .reset }
                #expect(RawHTTP2.body(frames, of: 1).contains("\"code\":\"body_too_slow\""), "\(frames)")
                #expect(frames.last?.error == 0)
                try await connection.write(Self.get("/livez", on: 3))
                let rest = try await connection.frames { $0.kind == .data && $0.flags & 1 != 0 }
                #expect(rest.contains { $0.kind == .headers && $0.stream == 3 && $0.payload.first == 0x88 })
            }
        }
    }

    @Test("answers before a body was read that it does not want, without an error of the stream")
    func unread() async throws {
        try await Self.serving { _, port, authority in
            try await RawHTTP2.with(port: port, trusting: authority) { connection in
                let head = RawHTTP2.head("POST", "/v1/orders", [("authorization", "Bearer tk_nobody")])
                try await connection.write(Frame(.headers, flags: 4, stream: 1, head))
                let frames = try await connection.frames { $0.kind == .reset }
                #expect(RawHTTP2.body(frames, of: 1).contains("\"status\":401"), "\(frames)")
                #expect(frames.last?.error == 0)
            }
        }
    }

    @Test(
        "refuses a request that does not name its host once",
        arguments: [(nil, []), ("a", ["b"]), ("a/b", []), ("user@a", []), (nil, ["a", "a b"])] as [(String?, [String])]
    )
    func host(authority name: String?, hosts: [String]) async throws {
        try await Self.serving { _, port, authority in
            try await RawHTTP2.with(port: port, trusting: authority) { connection in
                let head = RawHTTP2.head("GET", "/livez", authority: name, hosts.map { ("host", $0) })
                try await connection.write(Frame(.headers, flags: 5, stream: 1, head))
                let frames = try await connection.frames { frame in
                    frame.kind == .reset || frame.kind == .data && frame.flags & 1 != 0
                }
                let isRefused = RawHTTP2.body(frames, of: 1).contains("\"code\":\"host_invalid\"")
                #expect(isRefused || frames.last?.kind == .reset, "\(frames)")
            }
        }
    }

    @Test("gives the first request the time of a head, and the next one that of a silence")
    func silence() async throws {
        try await Self.serving(ConnectionLimits(headMilliseconds: 300)) { _, port, authority in
            try await RawHTTP2.with(port: port, trusting: authority) { connection in
                _ = try await connection.frames()
            }
        }
        try await Self.serving(ConnectionLimits(idleMilliseconds: 300)) { _, port, authority in
            try await RawHTTP2.with(port: port, trusting: authority) { connection in
                try await connection.write(Self.get("/livez", on: 1))
                let frames = try await connection.frames()
                #expect(frames.contains { $0.kind == .headers && $0.payload.first == 0x88 })
                #expect(frames.contains { $0.kind == .goAway && $0.error == 0 }, "\(frames)")
            }
        }
    }

    @Test("keeps no answer for a peer that does not read it")
    func unreadAnswer() async throws {
        let limits = ConnectionLimits(idleMilliseconds: 1500, lingerMilliseconds: 200)
        try await Self.serving(limits) { _, port, authority in
            // SETTINGS_INITIAL_WINDOW_SIZE 0: nothing of a body may be sent.
            try await RawHTTP2.with(port: port, trusting: authority, settings: [0, 4, 0, 0, 0, 0]) { connection in
                // Both at once: a connection that asks for nothing meanwhile is idle, and is closed.
                try await connection.write(Self.get("/livez", on: 1), Self.get("/openapi.json", on: 3))
                let frames = try await connection.frames(of: [1, 3])
                #expect(Set(frames.filter { $0.kind == .reset }.map(\.stream)) == [1, 3], "\(frames)")
            }
        }
    }

    @Test("has a connection that asks for nothing make room, and refuses where every one is served")
    func crowd() async throws {
        try await Self.serving(ConnectionLimits(connections: 1, lingerMilliseconds: 200)) { api, port, authority in
            try await RawHTTP2.with(port: port, trusting: authority) { connection in
                try await connection.write(Self.get("/livez", on: 1))
                _ = try await connection.frames { $0.kind == .data && $0.flags & 1 != 0 }
                #expect(await Self.answers(port, authority))
                let frames = try await connection.frames()
                #expect(frames.last { $0.kind == .goAway }?.error == 0, "\(frames)")
            }
            await api.psp.always("tok_airline", .authorize, .held)
            let key = try #require(try await api.client("checkout").key)
            try await RawHTTP2.served(port: port, trusting: authority) { connection in
                let fields = [
                    ("authorization", "Bearer \(key)"), ("content-type", "application/json"), ("idempotency-key", "a"),
                ]
                let body = Array(OrderBody.trip.text.utf8)
                try await connection.write(
                    Frame(.headers, flags: 4, stream: 1, RawHTTP2.head("POST", "/v1/orders", fields)),
                    Frame(.data, flags: 1, stream: 1, body)
                )
                try await api.psp.arrival(of: .authorize, "tok_airline")
                #expect(await Self.answers(port, authority) == false)
                await api.psp.always("tok_airline", .authorize, nil)
                await api.psp.release("tok_airline", .authorize)
                let frames = try await connection.frames { $0.kind == .data && $0.flags & 1 != 0 }
                #expect(RawHTTP2.body(frames, of: 1).contains("\"decision\":\"accepted\""), "\(frames)")
            }
        }
    }

    @Test("counts each stream's request under the limits of its address")
    func rates() async throws {
        // Two at once, and another one after a quarter of an hour: no test takes so long.
        let rates = RateLimits(address: .init(perSecond: 1, burst: 2000, instances: 1000))
        try await Self.serving(rates: rates) { _, port, authority in
            try await RawHTTP2.with(port: port, trusting: authority) { connection in
                try await connection.write((0..<6).map { Self.get("/v1/orders", on: UInt32(2 * $0 + 1)) })
                var open = Set((0..<6).map { UInt32(2 * $0 + 1) })
                let frames = try await connection.frames { frame in
                    if frame.kind == .data && frame.flags & 1 != 0 { open.remove(frame.stream) }
                    return open.isEmpty
                }
                let limited = (0..<6).count { number in
                    RawHTTP2.body(frames, of: UInt32(2 * number + 1)).contains("\"status\":429")
                }
                #expect(limited == 4, "\(frames)")
            }
        }
    }

    @Test("is asked to go when the server is to end, with its last request answered")
    func drain() async throws {
        let authority = try TestAuthority()
        try await APIHarness.with(.sqlite) { api in
            let server = try Self.server(api, authority, ConnectionLimits(lingerMilliseconds: 200))
            let (answered, answer) = AsyncStream<Void>.makeStream()
            var client: Task<[Frame], any Error>?
            let result = await APIHarness.serving(server, drainingFor: .seconds(30)) { port in
                client = Task {
                    var heard: [Frame] = []
                    defer { answer.finish() }
                    try await RawHTTP2.with(port: port, trusting: authority) { connection in
                        try await connection.write(Self.get("/livez", on: 1))
                        _ = try await connection.frames { $0.kind == .data && $0.flags & 1 != 0 }
                        answer.finish()
                        heard = try await connection.frames()
                    }
                    return heard
                }
                for await _ in answered {}
            }
            try result.get()
            let heard = try await client?.value ?? []
            #expect(heard.contains { $0.kind == .goAway && $0.error == 0 }, "\(heard)")
        }
    }

    @Test("is not spoken in the clear")
    func clear() async throws {
        try await APIHarness.with(.sqlite) { api in
            let preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\u{0}\u{0}\u{0}\u{4}\u{0}\u{0}\u{0}\u{0}\u{0}"
            let reply = try await RawConnection.exchange(preface, port: api.port)
            #expect(reply.isEmpty || reply.hasPrefix("HTTP/1.1 4"), "\(reply)")
            let fields = "Connection: Upgrade, HTTP2-Settings, close\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n"
            let plain = try await RawConnection.exchange(
                "GET /livez HTTP/1.1\r\nHost: localhost\r\n\(fields)\r\n",
                port: api.port
            )
            #expect(plain.hasPrefix("HTTP/1.1 200 "), "\(plain)")
        }
    }
}
