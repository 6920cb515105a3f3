import StrictJSON
import Testing
import TributaryTestKit

@Suite("Answers, against openapi.yaml", .timeLimit(.minutes(10)))
struct AnswerTests {
    @Test("orders in every state we can bring about", arguments: DatabaseEngine.allCases)
    func orders(_ engine: DatabaseEngine) async throws {
        let contract = try Contract()
        try await APIHarness.with(engine) { api in
            let client = try await api.client("checkout")
            var seen: Set<String> = []
            func place(_ key: String, _ body: JSON, _ behaviour: ScriptedBehaviour) async throws {
                await api.psp.script("tok_hotel", .authorize, behaviour)
                #expect(contract.complaints(aboutBody: body, of: "POST /v1/orders").isEmpty, "\(key)")
                let placed = try await client.post("/v1/orders", body, key: key)
                #expect(contract.complaints(about: placed, to: "POST /v1/orders").isEmpty, "\(key): \(placed)")
                let id = try #require(placed.json["id"]?.stringValue, "\(placed)")
                let shown = try await client.get("/v1/orders/\(id)")
                #expect(contract.complaints(about: shown, to: "GET /v1/orders/{id}").isEmpty, "\(key): \(shown)")
                let events = try await client.get("/v1/orders/\(id)/events")
                #expect(contract.complaints(about: events, to: "GET /v1/orders/{id}/events").isEmpty, "\(events)")
                seen.formUnion([placed, shown].compactMap { $0.json["status"]?.stringValue })
            }
            let best = OrderBody.trip.with("policy", ["type": "best_effort"])
            let short = OrderBody.trip.with("deadline_ms", 50).with("on_deadline", "continue")
            let rich = OrderBody.trip.with("amount", 45_001).with("residual", "uncharged").with("reference", "cart")
                .with("metadata", ["a": "b"]).with("contexts/0/reference", "r").with("contexts/0/metadata", ["c": "d"])
                .with("return_url", "https://shop.example/back")
                .with("policy", ["type": "required", "external_identifiers": ["airline"]])
            try await place("paid", OrderBody.trip, .init())
            try await place("rich", rich, .init())
            try await place("failed", OrderBody.trip, .init(.decline("insufficient_funds")))
            try await place("rejected", OrderBody.trip, .init(.refuse("configuration_error")))
            try await place("partly", best, .init(.decline("generic")))
            try await place("held", OrderBody.trip.with("capture", "manual"), .init())
            try await place("action", OrderBody.trip, .init(.requireAction(milliseconds: 600_000)))
            try await place("open", short.with("reference", "open"), .init(.approve, .held))
            // A refusal is told at once, though another authorization may still be on its way: then it is compensating.
            if seen.remove("compensating") != nil { seen.insert("failed") }
            #expect(seen == ["paid", "failed", "partially_paid", "authorized", "requires_action", "processing"])
            let list = try await client.get("/v1/orders?limit=100")
            #expect(contract.complaints(about: list, to: "GET /v1/orders").isEmpty, "\(list)")
            let payment = try #require(list.json.at("data/0/payments/0/id")?.stringValue)
            let shown = try await client.get("/v1/payments/\(payment)")
            #expect(contract.complaints(about: shown, to: "GET /v1/payments/{id}").isEmpty, "\(shown)")
        }
    }

    @Test("what is asked of orders behind their checkout", arguments: DatabaseEngine.allCases)
    func requests(_ engine: DatabaseEngine) async throws {
        let contract = try Contract()
        try await APIHarness.with(engine) { api in
            let client = try await api.client("checkout", "operator")
            func order(_ key: String, _ body: JSON) async throws -> JSON {
                try await client.post("/v1/orders", body, key: key).json
            }
            func ask(_ order: JSON, _ action: String, _ body: JSON, _ status: Int) async throws -> JSON {
                let id = try #require(order["id"]?.stringValue)
                let operation = "POST /v1/orders/{id}/\(action)"
                #expect(contract.complaints(aboutBody: body, of: operation).isEmpty)
                let reply = try await client.post("/v1/orders/\(id)/\(action)", body, key: action)
                #expect(reply.status == status, "\(reply)")
                #expect(contract.complaints(about: reply, to: operation).isEmpty, "\(reply)")
                return reply.json
            }
            let manual = OrderBody.trip.with("capture", "manual")
            let held = try await order("held", manual)
            _ = try await ask(held, "capture", JSON.object([]), 200)
            await api.psp.script("tok_hotel", .refund, .refuse)
            let body: JSON = ["amount": 900, "allocate": "proportional", "reason": "rain"]
            let refund = try #require(try await ask(held, "refunds", body, 201)["id"]?.stringValue)
            let shown = try await client.get("/v1/refunds/\(refund)")
            #expect(contract.complaints(about: shown, to: "GET /v1/refunds/{id}").isEmpty, "\(shown)")
            _ = try await ask(held, "cancel", .object([]), 409)
            _ = try await ask(try await order("gone", manual), "cancel", .object([]), 200)
            let loose = try await order("loose", manual.with("policy", ["type": "best_effort"]))
            let part: JSON = ["items": [["external_identifier": "hotel"]]]
            _ = try await ask(loose, "cancel", part, 200)
            let other = try await order("other", manual.with("policy", ["type": "best_effort"]))
            let off = try #require(other.at("payments/0/id")?.stringValue)
            let gone = try await client.post("/v1/payments/\(off)/cancel", .object([]), key: "off")
            #expect(contract.complaints(about: gone, to: "POST /v1/payments/{id}/cancel").isEmpty, "\(gone)")
            await api.psp.script("tok_hotel", .authorize, .init(.requireAction(milliseconds: 600_000)))
            let waiting = try await order("action", OrderBody.trip)
            await api.psp.finishAction(of: "tok_hotel")
            let id = try #require(waiting["id"]?.stringValue)
            let wait: JSON = ["timeout_ms": 1]
            #expect(contract.complaints(aboutBody: wait, of: "POST /v1/orders/{id}/wait").isEmpty)
            let waited = try await client.post("/v1/orders/\(id)/wait", wait)
            #expect(contract.complaints(about: waited, to: "POST /v1/orders/{id}/wait").isEmpty, "\(waited)")
            let payment = try #require(waiting.at("payments/1/id")?.stringValue)
            let done = try await client.post("/v1/payments/\(payment)/complete", .object([]))
            #expect(contract.complaints(about: done, to: "POST /v1/payments/{id}/complete").isEmpty, "\(done)")
        }
    }

    @Test("problems of every status", arguments: DatabaseEngine.allCases)
    func problems(_ engine: DatabaseEngine) async throws {
        let contract = try Contract()
        try await APIHarness.with(engine) { api in
            let client = try await api.client("checkout")
            let body = OrderBody.trip.with("reference", "cart")
            let long = OrderBody.trip.with("reference", .string(String(repeating: "x", count: 300_000)))
            _ = try await client.post("/v1/orders", body, key: "a")
            let unknown = "ord_00000000000000000000000000"
            let replies: [(Int, String, APIReply)] = [
                (400, "POST /v1/orders", try await client.post("/v1/orders", bytes: [], key: "b")),
                (401, "GET /v1/orders", try await api.anonymous.get("/v1/orders")),
                (403, "POST /v1/merchants", try await client.post("/v1/merchants", [:])),
                (404, "GET /v1/orders/{id}", try await client.get("/v1/orders/\(unknown)")),
                (409, "POST /v1/orders", try await client.post("/v1/orders", body, key: "b")),
                (413, "POST /v1/orders", try await client.post("/v1/orders", long, key: "b")),
                (415, "POST /v1/orders", try await client.post("/v1/orders", bytes: [], key: "b", contentType: "a/b")),
                (422, "POST /v1/orders", try await client.post("/v1/orders", OrderBody.trip, key: "a")),
                (422, "GET /v1/orders", try await client.get("/v1/orders?limit=x")),
            ]
            for (status, operation, reply) in replies {
                #expect(reply.status == status, "\(reply)")
                #expect(contract.complaints(about: reply, to: operation).isEmpty, "\(reply)")
            }
        }
    }

    @Test("merchants and payment requests", arguments: DatabaseEngine.allCases)
    func others(_ engine: DatabaseEngine) async throws {
        let contract = try Contract()
        try await APIHarness.with(engine) { api in
            let client = try await api.client("checkout", "operator")
            func check(_ operation: String, _ reply: APIReply, body: JSON? = nil) {
                #expect(reply.status < 300, "\(operation): \(reply)")
                #expect(contract.complaints(about: reply, to: operation).isEmpty, "\(operation): \(reply)")
                guard let body else { return }
                #expect(contract.complaints(aboutBody: body, of: operation).isEmpty, "\(operation)")
            }
            let ferry = MerchantTests.ferry
            check("POST /v1/merchants", try await client.post("/v1/merchants", ferry), body: ferry)
            check("POST /v1/merchants", try await client.post("/v1/merchants", ferry))
            check("GET /v1/merchants", try await client.get("/v1/merchants"))
            check("GET /v1/merchants/{id}", try await client.get("/v1/merchants/hotel"))
            let path = "/v1/payment-requests"
            let trip = PaymentRequestTests.trip
            let stored = try await client.post(path, trip)
            check("POST /v1/payment-requests", stored, body: trip)
            let id = try #require(stored.json["id"]?.stringValue)
            let change: JSON = ["amount": 45_001, "residual": "uncharged"]
            check("POST /v1/payment-requests/{id}", try await client.post("\(path)/\(id)", change), body: change)
            for body in [trip, ValidationCase.apple] {
                let reply = try await client.post("\(path)/validate", body)
                check("POST /v1/payment-requests/validate", reply, body: body)
            }
            check("GET /livez", try await client.get("/livez"))
            check("GET /readyz", try await client.get("/readyz"))
        }
    }
}
