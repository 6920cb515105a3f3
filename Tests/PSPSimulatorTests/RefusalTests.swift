import PSPSimulator
import StrictJSON
import Testing

@Suite("Refused requests", .timeLimit(.minutes(1)))
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
