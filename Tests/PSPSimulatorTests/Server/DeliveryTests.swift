import PSPSimulator
import StrictJSON
import Testing

@Suite("Deliveries over HTTP", .timeLimit(.minutes(10)))
struct DeliveryTests {
    /// What a client sees of a struck request, and whether it acted.
    enum Sight: Sendable {
        case nothing
        case status(Int)
        case brokenJSON
        case twoReplies
    }

    static let table: [(trigger: String, sight: Sight, acts: Bool)] = [
        ("approve", .status(201), true),
        ("slow_20", .status(201), true),
        ("timeout_before", .nothing, false),
        ("timeout_after", .nothing, true),
        ("never", .nothing, false),
        ("500_before", .status(500), false),
        ("500_after", .status(500), true),
        ("close_before", .nothing, false),
        ("close_after", .nothing, true),
        ("malformed", .brokenJSON, true),
        ("duplicate", .twoReplies, true),
        ("no_trace", .status(201), false),
    ]

    @Test("every delivery is in the table")
    func complete() {
        let deliveries = TriggerTable.triggers.filter {
            if case .delivery = $0.instruction() { $0.operations.contains(.authorize) } else { false }
        }
        #expect(Set(deliveries.map(\.name)).isSubset(of: Set(Self.table.map { $0.trigger.replacing("_20", with: "") })))
    }

    @Test("strikes an authorization", arguments: table)
    func authorize(trigger: String, sight: Sight, acts: Bool) async throws {
        try await withSimulator { simulator, client in
            let reply = try await client.authorize("tok_\(trigger)", reference: "att_1")
            expect(reply, sight)
            #expect(await simulator.authorizations(of: "shop").count == (acts ? 1 : 0))
            guard trigger != "never" else { return }
            let repeated = try await client.authorize("tok_\(trigger)", reference: "att_1")
            #expect(repeated.status == 201)
            #expect(repeated.json?["status"] == "authorized")
            #expect(repeated.header("Idempotent-Replayed") == (acts ? "true" : nil))
            #expect(await simulator.authorizations(of: "shop").map(\.held) == [1000])
        }
    }

    @Test("strikes a capture, a void or a refund alone", arguments: ["capture", "void", "refund"], table)
    func change(operation: String, row: (trigger: String, sight: Sight, acts: Bool)) async throws {
        try await withSimulator { simulator, client in
            var body = RawClient.body("tok_approve+\(operation)_\(row.trigger)", "att_1").objectValue ?? []
            body.append(.init("capture", .bool(operation == "refund")))
            let made = try await client.post("/v1/authorizations", key: "a", .object(body))
            let id = try #require(made.json?["id"]?.stringValue)
            let word = operation == "void" ? "void" : operation + "s"
            var change: JSON = ["reference": "op_1", "amount": 1000]
            if operation == "void" { change = ["reference": "op_1"] }
            let reply = try await client.post("/v1/authorizations/\(id)/\(word)", key: "b", change)
            expect(reply, row.sight)
            let authorization = try #require(await simulator.authorizations(of: "shop").first)
            #expect(authorization.operations.count == (row.acts ? 2 : 1))
            guard row.trigger != "never" else { return }
            let repeated = try await client.post("/v1/authorizations/\(id)/\(word)", key: "b", change)
            #expect(repeated.status == 201)
            #expect(repeated.json?["status"] == "succeeded")
            #expect(await simulator.authorizations(of: "shop").map(\.operations.count) == [2])
        }
    }

    @Test("writes a second copy that is the first one, head and all")
    func duplicate() async throws {
        try await withSimulator { _, client in
            let reply = try await client.authorize("tok_duplicate", reference: "att_1")
            let key = try #require(reply.header("Idempotency-Key"))
            #expect(reply.text.split(separator: "Idempotency-Key: \(key)\r\n").count == 3)
        }
    }

    @Test("holds a request that is never answered until the limit")
    func stalls() async throws {
        try await withSimulator(stall: .milliseconds(300)) { _, client in
            let elapsed = try await ContinuousClock().measure {
                _ = try await client.authorize("tok_never", reference: "att_1")
            }
            #expect(elapsed >= .milliseconds(300))
        }
    }

    @Test("answers a slow request no sooner than asked")
    func slow() async throws {
        try await withSimulator { _, client in
            let elapsed = try await ContinuousClock().measure {
                _ = try await client.authorize("tok_slow_250", reference: "att_1")
            }
            #expect(elapsed >= .milliseconds(250))
        }
    }

    @Test(
        "strikes inquiries",
        arguments: [
            ("500_before", Sight.status(500)), ("close_before", .nothing), ("never", .nothing),
            ("malformed", .brokenJSON), ("slow_20", .status(200)),
        ]
    )
    func inquiries(trigger: String, sight: Sight) async throws {
        try await withSimulator { _, client in
            let made = try await client.authorize("tok_approve+inquire_\(trigger)", reference: "att_1")
            let id = try #require(made.json?["id"]?.stringValue)
            expect(try await client.get("/v1/authorizations/\(id)"), sight)
            expect(try await client.get("/v1/authorizations?reference=att_1"), sight)
        }
    }

    private func expect(_ reply: RawReply, _ sight: Sight) {
        switch sight {
        case .nothing: #expect(reply.bytes.isEmpty)
        case .status(let status):
            #expect(reply.status == status)
            #expect(reply.json != nil)
        case .brokenJSON:
            #expect(reply.status.map { (200...201).contains($0) } == true)
            #expect(reply.body.isEmpty == false)
            #expect(reply.json == nil)
        case .twoReplies:
            #expect(reply.status == 201)
            let parts = reply.text.split(separator: "HTTP/1.1 201")
            let bodies = parts.compactMap { $0.split(separator: "\r\n\r\n").last }
            #expect(bodies.count == 2)
            #expect(bodies.first == bodies.last)
        }
    }
}
