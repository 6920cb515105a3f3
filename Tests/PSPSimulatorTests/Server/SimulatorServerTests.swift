import PSPSimulator
import StrictJSON
import Testing

@Suite("Simulator over HTTP", .timeLimit(.minutes(10)))
struct SimulatorServerTests {
    @Test("fifty identical requests at once make one authorization")
    func race() async throws {
        try await withSimulator { simulator, client in
            let replies = try await withThrowingTaskGroup(of: RawReply.self) { group in
                for _ in 1...50 { group.addTask { try await client.authorize("tok_approve", reference: "att_1") } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(Set(replies.map(\.body)).count == 1)
            #expect(replies.filter { $0.header("Idempotent-Replayed") == nil }.count == 1)
            let books = await simulator.authorizations(of: "shop")
            #expect(books.map(\.requests) == [50])
        }
    }

    @Test("answers a payment with a stored method under its key as it did, though the method is removed since")
    func removedMethod() async throws {
        try await withSimulator { _, client in
            var first = RawClient.body("tok_approve", "att_1").objectValue ?? []
            first.append(JSON.Member("store_for", "agr_1"))
            let stored = try await client.post("/v1/authorizations", key: "first", .object(first))
            let method = try #require(stored.json?["stored_method"]?["id"]?.stringValue)
            let charge: JSON = [
                "reference": "att_2", "amount": 700, "currency": "USD", "capture": true, "initiator": "merchant",
                "stored_method": ["id": .string(method), "owner": "agr_1"],
            ]
            let charged = try await client.post("/v1/authorizations", key: "charge", charge)
            #expect(charged.status == 201, "\(charged.body)")
            let removal = try await client.send("DELETE", "/v1/stored-methods/\(method)?owner=agr_1")
            #expect(removal.status == 200)
            let again = try await client.post("/v1/authorizations", key: "charge", charge)
            #expect(again.status == 201 && again.json?["id"] == charged.json?["id"])
            let other = try await client.post("/v1/authorizations", key: "other", charge)
            #expect(other.status == 404 && other.json?["error"]?["code"] == "stored_method_not_found")
        }
    }

    @Test("declines with 402 and the authorization")
    func decline() async throws {
        try await withSimulator { _, client in
            let reply = try await client.authorize("tok_decline_insufficient_funds", reference: "att_1")
            #expect(reply.status == 402)
            #expect(reply.json?["status"] == "declined")
            #expect(reply.json?["decline"]?["code"] == "insufficient_funds")
            #expect(reply.json?["authorized_amount"] == 0)
        }
    }

    @Test("finds authorizations by identifier and reference, operations by reference")
    func inquiries() async throws {
        try await withSimulator { _, client in
            let made = try await client.authorize("tok_approve", reference: "att_1")
            let id = try #require(made.json?["id"]?.stringValue)
            let capture = try await client.post(
                "/v1/authorizations/\(id)/captures",
                key: "c",
                ["reference": "op_1", "amount": 400]
            )
            #expect(capture.status == 201)
            let authorization = try await client.get("/v1/authorizations/\(id)")
            #expect(authorization.json?["captured_amount"] == 400)
            #expect(authorization.json?["voided_amount"] == 600)
            let byReference = try await client.get("/v1/authorizations?reference=att_1")
            #expect(byReference.json?["reference"] == "att_1")
            #expect(byReference.json?["data"] == authorization.json.map { .array([$0]) })
            let operations = try await client.get("/v1/operations?reference=op_1")
            #expect(operations.json?["data"] == capture.json.map { .array([$0]) })
            #expect(try await client.get("/v1/operations?reference=op_2").json?["data"] == [])
            #expect(try await client.get("/v1/authorizations/auth_none").status == 404)
        }
    }

    @Test("hides what is new from inquiries if told to")
    func hidden() async throws {
        try await withSimulator { _, client in
            let made = try await client.authorize("tok_approve+inquire_hidden_60000", reference: "att_1")
            let id = try #require(made.json?["id"]?.stringValue)
            #expect(try await client.get("/v1/authorizations?reference=att_1").json?["data"] == [])
            #expect(try await client.get("/v1/authorizations/\(id)").status == 404)
        }
    }

    @Test("sends the buyer to a page of its own", arguments: [("", "authorized"), ("?result=deny", "declined")])
    func action(query: String, status: String) async throws {
        try await withSimulator { simulator, client in
            let made = try await client.authorize("tok_action", reference: "att_1")
            #expect(made.json?["status"] == "requires_action")
            let url = try #require(made.json?["next_action"]?["url"]?.stringValue)
            #expect(url.hasPrefix(simulator.baseURL + "/actions/auth_"))
            var browser = client
            browser.key = ""
            let page = try await browser.get(url.dropFirst(simulator.baseURL.count) + query)
            #expect(page.status == 200)
            #expect(page.json?["status"] == .string(status))
            #expect(await simulator.authorizations(of: "shop").map(\.status.rawValue) == [status])
            #expect(try await browser.get(String(url.dropFirst(simulator.baseURL.count))).status == 404)
        }
    }

    @Test("sends the buyer back where they came from")
    func returnURL() async throws {
        try await withSimulator { simulator, client in
            var body = RawClient.body("tok_action", "att_1").objectValue ?? []
            body.append(.init("return_url", "https://shop.example/back?order=1"))
            let made = try await client.post("/v1/authorizations", key: "a", .object(body))
            let url = try #require(made.json?["next_action"]?["url"]?.stringValue)
            let page = try await client.get(String(url.dropFirst(simulator.baseURL.count)))
            #expect(page.status == 303)
            #expect(page.header("Location") == "https://shop.example/back?order=1")
        }
    }

    @Test("keeps no number and no cryptogram of a network token")
    func networkToken() async throws {
        try await withSimulator { _, client in
            let body: JSON = [
                "reference": "att_1", "amount": 1000, "currency": "USD",
                "network_token": [
                    "number": "4111111111111111", "expiry_month": 12, "expiry_year": 2030,
                    "cryptogram": "AgAAAAAABk4DWZ4C28yUQAAAAAA=", "eci": "07", "source": "apple_pay",
                ],
            ]
            let made = try await client.post("/v1/authorizations", key: "a", body)
            #expect(made.json?["payment_method"] == ["network": "visa", "last4": "1111"])
            let books = try await client.get("/books")
            for text in [made.text, books.text] {
                #expect(!text.contains("411111111111"))
                #expect(!text.contains("AgAAAAAABk4"))
            }
            #expect(books.text.contains("1111"))
        }
    }

    @Test("shows its books")
    func books() async throws {
        try await withSimulator { _, client in
            _ = try await client.authorize("tok_approve", reference: "att_1", amount: 700)
            _ = try await client.authorize("tok_approve", reference: "att_1", amount: 700)
            _ = try await client.authorize("tok_decline_generic", reference: "att_2", amount: 900)
            let books = try #require(try await client.get("/books").json)
            #expect(books["requests"] == 3)
            #expect(books["idempotency_records"] == 2)
            #expect(books["violations"] == [])
            let account = try #require(books["accounts"]?["shop"])
            #expect(try await client.get("/books/shop").json == account)
            #expect(account["totals"]?["USD"]?["held"] == 700)
            let first = try #require(account["authorizations"]?[0])
            #expect(first["requests"] == 2)
            #expect(first["operations"]?[0]?["key"] == "key-att_1")
            #expect(account["authorizations"]?[1]?["status"] == "declined")
            #expect(try await client.get("/books/nobody").status == 404)
            #expect(try await client.get("/livez").status == 200)
        }
    }

    @Test("names an account for its key")
    func accounts() async throws {
        try await withSimulator { simulator, client in
            for key in ["key_one", "sk_test_secret"] {
                var caller = client
                caller.key = key
                _ = try await caller.authorize("tok_approve", reference: "att_1")
            }
            let names = await simulator.read { books, _ in books.accounts }
            #expect(names.count == 2)
            #expect(names.contains("one"))
            #expect(!names.contains { $0.contains("sk_test_secret") })
        }
    }
}

@Suite("Refused requests", .timeLimit(.minutes(10)))
struct RefusalTests {
    private static let good = RawClient.body("tok_approve", "att_1")

    @Test(
        "are told apart by status and code",
        arguments: [
            (good.text.replacing("tok_approve", with: "tok_nonsense"), 400, "invalid_token"),
            (good.text.replacing("tok_approve", with: "tok_reject_unsupported"), 400, "unsupported"),
            (good.text.replacing("1000", with: "0"), 400, "invalid_request"),
            (good.text.replacing("1000", with: "10.5"), 400, "invalid_request"),
            (good.text.replacing("1000", with: "9223372036854775807"), 400, "invalid_request"),
            (good.text.replacing("USD", with: "usd"), 400, "invalid_request"),
            (good.text.replacing("reference", with: "referense"), 400, "invalid_request"),
            (good.text.replacing("}", with: ",\"amount\":1}"), 400, "invalid_request"),
            (String(good.text.dropLast()), 400, "invalid_request"),
            ("", 400, "invalid_request"),
            (String(repeating: " ", count: 70_000), 413, "body_too_large"),
        ]
    )
    func bodies(body: String, status: Int, code: String) async throws {
        try await withSimulator { simulator, client in
            let reply = try await client.send(
                "POST",
                "/v1/authorizations",
                headers: ["Idempotency-Key: k"],
                body: body
            )
            #expect(reply.status == status)
            #expect(reply.json?["error"]?["code"] == .string(code))
            #expect(await simulator.authorizations(of: "shop").isEmpty)
            let good = try await client.send(
                "POST",
                "/v1/authorizations",
                headers: ["Idempotency-Key: k"],
                body: Self.good.text
            )
            #expect(good.status == 201)
        }
    }

    @Test("without a key, or with the key named invalid, are unauthorized", arguments: ["", "invalid"])
    func unauthorized(key: String) async throws {
        try await withSimulator { _, client in
            var caller = client
            caller.key = key
            let post = try await caller.authorize("tok_approve", reference: "att_1")
            #expect(post.status == 401)
            #expect(post.json?["error"]?["code"] == "invalid_key")
            #expect(try await caller.get("/v1/authorizations?reference=att_1").status == 401)
        }
    }

    @Test("without an idempotency key say so")
    func missingKey() async throws {
        try await withSimulator { _, client in
            let reply = try await client.send("POST", "/v1/authorizations", body: Self.good.text)
            #expect(reply.status == 400)
            #expect(reply.json?["error"]?["code"] == "idempotency_key_required")
        }
    }

    @Test("with a network token's number that is none do not repeat it")
    func number() async throws {
        try await withSimulator { _, client in
            let body: JSON = [
                "reference": "att_1", "amount": 1000, "currency": "USD",
                "network_token": [
                    "number": "41111111x1111111", "expiry_month": 12, "expiry_year": 2030, "cryptogram": "AAAA",
                ],
            ]
            let reply = try await client.post("/v1/authorizations", key: "k", body)
            #expect(reply.status == 400)
            #expect(!reply.text.contains("41111111"))
        }
    }
}
