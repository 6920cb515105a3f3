import Domain
import HTTPTransport
import Logging
import StrictJSON
import Synchronization
import Testing
import TributaryTestKit

@testable import HTTPAPI

@Suite("The log of requests", .timeLimit(.minutes(10)))
struct RequestLogTests {
    private static let words = "a request was answered"

    @Test(
        "says what a request was, by route, key and order, and nothing that it brought",
        arguments: DatabaseEngine.allCases
    )
    func line(_ engine: DatabaseEngine) async throws {
        let log = AttemptLog()
        try await APIHarness.with(engine, logger: log.logger) { api in
            let client = try await api.client("checkout")
            let name = [HTTPHeader("X-Request-Id", "cart-7")]
            let placed = try await client.post("/v1/orders", OrderBody.trip, key: "a", headers: name)
            #expect((placed.status, placed.header("X-Request-Id")) == (201, "cart-7"))
            let order = try #require(placed.json["id"]?.stringValue)
            let shown = try await client.get("/v1/orders/\(order)?secret=hush-1")
            #expect(shown.header("X-Request-Id") == shown.header("Request-Id"))
            _ = try await client.get("/v1/orders/hush-2")
            _ = try await api.anonymous.get("/v1/hush-3?hush-4")
            let lines = log.lines(beginning: Self.words)
            try #require(lines.count == 4, "\(lines)")
            let request = try #require(placed.header("Request-Id"))
            #expect(lines[0].contains("request_id=\(request) ") && lines[0].contains("caller_request_id=cart-7 "))
            #expect(lines[0].contains("method=POST ") && lines[0].contains("route=/v1/orders "))
            #expect(lines[0].contains("status=201") && lines[0].contains(" key=key_"), "\(lines[0])")
            #expect(lines[0].firstMatch(of: #/duration_ms=\d+\.\d{3} /#) != nil, "\(lines[0])")
            #expect(lines[1].contains("order=\(order) ") && lines[1].contains("route=/v1/orders/{id} "))
            #expect(!lines[2].contains("order=") && lines[3].contains("route=none "))
            let key = try #require(client.key)
            #expect(!lines.joined().contains("hush") && !lines.joined().contains(key))
        }
    }

    @Test("and of probes only if everything is to be said")
    func probes() async throws {
        let log = AttemptLog()
        try await APIHarness.with(.sqlite, logger: log.logger) { api in
            for path in ["/livez", "/readyz", "/metrics"] { _ = try await api.anonymous.get(path) }
            #expect(log.lines(beginning: Self.words).isEmpty)
        }
    }

    @Test(
        "keeps of the caller's name what is printable, and no more than 128 bytes of it",
        arguments: [
            ("a b", "a?b"), ("a\tb", "a?b"), ("x\"y", "x\"y"),
            (String(repeating: "n", count: 300), String(repeating: "n", count: 128)),
        ]
    )
    func callerNames(sent: String, kept: String) async throws {
        let log = AttemptLog()
        try await APIHarness.with(.sqlite, logger: log.logger) { api in
            let text = "GET /v1/orders HTTP/1.1\r\nHost: a\r\nX-Request-Id: \(sent)\r\nConnection: close\r\n\r\n"
            let reply = try await RawConnection.exchange(text, port: api.port)
            #expect(reply.contains("\r\nX-Request-Id: \(kept)\r\n"), "\(reply)")
            #expect(log.lines(beginning: Self.words).first?.contains("caller_request_id=\(kept) ") == true)
        }
    }

    // MARK: Lines of JSON

    private static func lines(_ body: (Logger) -> Void) throws -> [JSON] {
        let store = Sink()
        var logger = Logger(label: "a") { _ in
            JSONLogHandler(now: { .init(microseconds: 1_700_000_000_123_456) }) { store.add($0) }
        }
        logger[metadataKey: "always"] = "here"
        body(logger)
        return try store.lines.map { line in
            #expect(line.last == UInt8(ascii: "\n") && line.count { $0 == UInt8(ascii: "\n") } == 1)
            return try JSON.parse(Array(line.dropLast()), depthLimit: JSON.greatestDepthLimit)
        }
    }

    private final class Sink: Sendable {
        private let written = Mutex<[[UInt8]]>([])

        var lines: [[UInt8]] { written.withLock { $0 } }

        func add(_ line: [UInt8]) { written.withLock { $0.append(line) } }
    }

    @Test("as JSON have time, level, message and what belongs to them, flat")
    func json() throws {
        let lines = try Self.lines { logger in
            logger.warning("it happened", metadata: ["b": ["x": "1", "y": ["z": "2"]], "a": ["p", "q"], "n": "\(7)"])
        }
        try #require(lines.count == 1)
        let members = try #require(lines[0].objectValue)
        #expect(members.map(\.key) == ["time", "level", "message", "a", "always", "b.x", "b.y.z", "n"])
        #expect(lines[0]["time"] == "2023-11-14T22:13:20.123Z")
        #expect((lines[0]["level"], lines[0]["message"]) == ("warning", "it happened"))
        #expect((lines[0]["b.y.z"], lines[0]["n"]) == ("2", "7"))
    }

    @Test(
        "are JSON whatever they say",
        arguments: [
            "\"", "\\", "\n\r\u{1}", "\u{2028}", "🍉\u{301}\u{301}", "{\"a\":1}", String(repeating: "é", count: 5000),
        ]
    )
    func odd(_ text: String) throws {
        let lines = try Self.lines { logger in
            logger.info("\(text)", metadata: [text: "\(text)", "time": "\(text)", "level": ["message": "\(text)"]])
        }
        try #require(lines.count == 1)
        #expect(lines[0]["message"]?.stringValue == text)
        #expect(lines[0]["_time"]?.stringValue == text)
        #expect(lines[0]["time"] == "2023-11-14T22:13:20.123Z")
        let keys = lines[0].objectValue?.map(\.key) ?? []
        #expect(Set(keys).count == keys.count)
    }
}
