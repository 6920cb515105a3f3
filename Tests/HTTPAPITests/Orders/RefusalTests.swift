import HTTPTransport
import SQL
import StrictJSON
import Testing
import TributaryTestKit

@Suite("An order that is refused", .timeLimit(.minutes(10)))
struct RefusalTests {
    @Test("says every reason, stores nothing, calls no PSP and leaves its key free", arguments: DatabaseEngine.allCases)
    func refusals(_ engine: DatabaseEngine) async throws {
        try await APIHarness.with(engine) { api in
            let client = try await api.client("checkout")
            for refusal in RefusalCase.all {
                let reply = try await client.post("/v1/orders", bytes: refusal.body, key: "one")
                #expect(reply.status == refusal.status, "\(refusal): \(reply)")
                #expect(reply.errors == refusal.errors, "\(refusal): \(reply)")
                let code =
                    refusal.errors.count == 1 ? refusal.errors[0].split(separator: " ").last.map(String.init) : nil
                #expect(reply.code == code ?? "invalid_request", "\(refusal)")
                #expect(reply.header("Content-Type") == "application/problem+json", "\(refusal)")
                #expect(reply.json["request_id"]?.stringValue == reply.header("Request-Id"), "\(refusal)")
            }
            try await expectNothing(in: api)
            let accepted = try await client.post("/v1/orders", OrderBody.trip, key: "one")
            #expect(accepted.status == 201)
            #expect(accepted.header("Idempotent-Replayed") == nil)
        }
    }

    @Test("names no credential in its reasons")
    func secrecy() async throws {
        try await APIHarness.with(.sqlite) { api in
            let client = try await api.client("checkout")
            for type in ["psp_token", "network_token", "apple_pay"] {
                let payment: JSON = [
                    "type": .string(type), "token": "4242424242424242x", "number": "4242424242424242x",
                    "cryptogram": 4_242_424_242, "psp_account": "nowhere",
                ]
                let body = OrderBody.trip.with("contexts/0/payment", payment)
                let reply = try await client.post("/v1/orders", body, key: type)
                #expect(reply.status == 422)
                #expect(!reply.description.contains("42424242"), "\(reply)")
            }
        }
    }

    @Test("because of its headers says so", arguments: DatabaseEngine.allCases)
    func headers(_ engine: DatabaseEngine) async throws {
        try await APIHarness.with(engine) { api in
            let client = try await api.client("checkout")
            let bytes = OrderBody.trip.bytes
            let missing = try await client.post("/v1/orders", bytes: bytes)
            #expect((missing.status, missing.code) == (400, "idempotency_key_missing"))
            let long = try await client.post("/v1/orders", bytes: bytes, key: String(repeating: "k", count: 256))
            #expect((long.status, long.code) == (400, "idempotency_key_malformed"))
            let spaced = try await client.post("/v1/orders", bytes: bytes, key: "a b")
            #expect((spaced.status, spaced.code) == (400, "idempotency_key_malformed"))
            for type in ["text/plain", "application/jsonp", "application/x-www-form-urlencoded"] {
                let reply = try await client.post("/v1/orders", bytes: bytes, key: "a", contentType: type)
                #expect((reply.status, reply.code) == (415, "unsupported_media_type"), "\(type)")
            }
            let zipped = [HTTPHeader("Content-Encoding", "gzip")]
            let packed = try await client.post("/v1/orders", bytes: bytes, key: "a", headers: zipped)
            #expect((packed.status, packed.code) == (415, "unsupported_content_encoding"))
            try await expectNothing(in: api)
            let type = "Application/JSON; charset=utf-8"
            let accepted = try await client.post("/v1/orders", bytes: bytes, key: "a", contentType: type)
            #expect(accepted.status == 201, "\(accepted)")
        }
    }

    @Test("without the right key is told what is missing", arguments: DatabaseEngine.allCases)
    func access(_ engine: DatabaseEngine) async throws {
        try await APIHarness.with(engine) { api in
            let body = OrderBody.trip
            let anonymous = try await api.anonymous.post("/v1/orders", body, key: "a")
            #expect((anonymous.status, anonymous.code) == (401, "missing_api_key"))
            #expect(anonymous.header("WWW-Authenticate") == "Bearer")
            for value in ["Bearer tk_stranger", "Basic dTpw", "Bearer", "tk_stranger"] {
                let headers = [HTTPHeader("Authorization", value)]
                let reply = try await api.anonymous.post("/v1/orders", body, key: "a", headers: headers)
                #expect((reply.status, reply.code) == (401, "invalid_api_key"), "\(value)")
            }
            for scope in ["operator", "merchant:airline"] {
                let reply = try await api.client(scope).post("/v1/orders", body, key: "a")
                #expect((reply.status, reply.code) == (403, "insufficient_scope"), "\(scope)")
            }
            try await expectNothing(in: api)
        }
    }

    /// Nothing of any order is stored, and no PSP has heard of one.
    private func expectNothing(in api: APIHarness) async throws {
        let counts = try await api.database.read { session in
            try ["orders", "payment", "work", "effect", "order_step", "credential", "idempotency_key"].map {
                table in
                try session.rows("SELECT COUNT(*) AS n FROM \(unsafeText: table)").first?.integer("n")
            }
        }
        #expect(counts.allSatisfy { $0 == 0 }, "\(counts)")
        #expect(await api.psp.calls.isEmpty)
    }
}
