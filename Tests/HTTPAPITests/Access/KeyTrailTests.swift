import Domain
import SQL
import Storage
import StrictJSON
import Testing
import TributaryTestKit

@Suite("What a key leaves behind", .timeLimit(.minutes(10)))
struct KeyTrailTests {
    private static func keys(_ api: APIHarness) async throws -> [APIKeyTable.Key] {
        try await api.database.read { session in try APIKeyTable.all(in: session) }
    }

    private static func refused(_ api: APIHarness, _ reason: String) async throws -> String? {
        let text = String(decoding: try await api.anonymous.get("/metrics").bytes, as: UTF8.self)
        let name = "tributary_refused_attempts_total{reason=\"\(reason)\"} "
        return text.split(separator: "\n").first { $0.hasPrefix(name) }.map { String($0.dropFirst(name.count)) }
    }

    @Test(
        "its id, its address and the request, on each event that it caused and no other",
        arguments: DatabaseEngine.allCases
    )
    func events(_ engine: DatabaseEngine) async throws {
        try await APIHarness.with(engine) { api in
            let checkout = try await api.client("checkout")
            let placed = try await checkout.post("/v1/orders", OrderStage.manual, key: "a")
            let order = try #require(placed.json["id"]?.stringValue)
            let operating = try await api.client("operator")
            let captured = try await operating.post("/v1/orders/\(order)/capture", .object([]), key: "b")
            #expect(captured.status == 200, "\(captured)")
            let keys = try await Self.keys(api)
            let buyer = try #require(keys.first { $0.scopes == ["checkout"] }).id
            let person = try #require(keys.first { $0.scopes == ["operator"] }).id
            let id = try #require(OrderID(order))
            let events = try await api.database.read { session in
                try OrderSteps.events(of: id, after: 0, limit: 100, in: session)
            }
            let first = try #require(events.first)
            let request = placed.header("Request-Id")
            #expect(first.caller == Caller(actor: buyer.text, peer: "127.0.0.1", request: request))
            #expect(events.filter { $0.type == "payment.routed" }.allSatisfy { $0.caller == first.caller })
            let later = events.compactMap(\.caller).filter { $0 != first.caller }
            #expect(
                Set(later) == [Caller(actor: person.text, peer: "127.0.0.1", request: captured.header("Request-Id"))]
            )
            #expect(events.contains { $0.type == "payment.authorized" && $0.caller == nil })
            let shown = try await operating.get("/v1/orders/\(order)/events").json.at("data/0")
            #expect(shown?["actor"]?.stringValue == buyer.text && shown?["request"]?.stringValue == request)
        }
    }

    @Test("one line and a count for each attempt that is refused, never the key", arguments: DatabaseEngine.allCases)
    func attempts(_ engine: DatabaseEngine) async throws {
        let log = AttemptLog()
        try await APIHarness.with(engine, logger: log.logger) { api in
            let expired = try await api.client("checkout", until: api.clock.now())
            let merchant = try await api.client("merchant:airline")
            let unknown = api.client(showing: "tk_5ecret")
            let replies = [
                try await api.anonymous.get("/v1/orders"), try await unknown.get("/v1/orders?x=tk_5ecret"),
                try await expired.get("/v1/orders"), try await merchant.get("/v1/orders"),
            ]
            #expect(replies.map(\.status) == [401, 401, 401, 403])
            let keys = try await Self.keys(api)
            let ended = try #require(keys.first { $0.scopes == ["checkout"] }).id
            let limited = try #require(keys.first { $0.id != ended }).id
            let ids = ["unknown", "unknown", ended.text, limited.text]
            let lines = log.lines(beginning: "an attempt was refused")
            #expect(lines.count == 4)
            for (line, (reply, id)) in zip(lines, zip(replies, ids)) {
                let request = try #require(reply.header("Request-Id"))
                for part in ["key=\(id)", "peer=127.0.0.1", "request_id=\(request)", "path=/v1/orders"] {
                    #expect(line.contains(part + " ") || line.hasSuffix(part), "\(line)")
                }
                let shown = [unknown, expired, merchant].compactMap(\.key)
                #expect(!shown.contains { line.contains($0) }, "\(line)")
            }
            #expect(try await Self.refused(api, "unauthenticated") == "3")
            #expect(try await Self.refused(api, "forbidden") == "1")
            #expect(try await Self.refused(api, "webhook_signature") == "0")
            // What is merely wrong, or not there, is no such attempt.
            #expect(try await api.client("checkout").get("/v1/orders/nothing").status == 404)
            #expect(log.lines(beginning: "an attempt was refused").count == 4)
        }
    }

    @Test("its last use, written down once an hour", arguments: DatabaseEngine.allCases)
    func lastUse(_ engine: DatabaseEngine) async throws {
        try await APIHarness.with(engine) { api in
            let client = try await api.client("checkout")
            #expect(try await Self.keys(api).map(\.lastUsedAt) == [nil])
            #expect(try await client.get("/v1/orders").status == 200)
            let first = try #require(try await Self.keys(api).first?.lastUsedAt)
            for _ in 0..<3 { #expect(try await client.get("/v1/orders").status == 200) }
            #expect(try await Self.keys(api).first?.lastUsedAt == first)
            api.clock.advance(milliseconds: 3_600_001)
            #expect(try await client.get("/v1/orders").status == 200)
            #expect(try #require(try await Self.keys(api).first?.lastUsedAt) > first)
        }
    }

    @Test("a key ends at its time, to the microsecond", arguments: DatabaseEngine.allCases)
    func end(_ engine: DatabaseEngine) async throws {
        try await APIHarness.with(engine) { api in
            let end = api.clock.now().adding(milliseconds: 3_600_000)
            let client = try await api.client("checkout", until: end)
            #expect(try await client.get("/v1/orders").status == 200)
            let key = try #require(try await Self.keys(api).first)
            #expect(key.isValid(at: Timestamp(microseconds: end.microseconds - 1)) && !key.isValid(at: end))
            api.clock.advance(to: end)
            #expect(try await client.get("/v1/orders").code == "expired_api_key")
        }
    }
}
