import Domain
import SQL
import Storage
import StrictJSON
import Testing
import TributaryTestKit

@Suite("Merchant tokens over HTTP", .timeLimit(.minutes(10)))
struct MerchantTokenRouteTests {
    private static let token = "9bf7e4b0c1d24a5f8e6a3c2b1d0e9f88"

    private static func with(
        _ engine: DatabaseEngine,
        _ body: @Sendable (WalletStage, MerchantTokenTwin, MerchantID) async throws -> Void
    ) async throws {
        let twin = try MerchantTokenTwin()
        let result: Result<Void, any Error>
        do {
            try await WalletStage.with(engine, apple: twin) { stage in
                let airline = try await stage.api.database.read { session in
                    try MerchantTable.find(["airline"], of: "travel", in: session).first
                }
                try await body(stage, twin, #require(airline).id)
            }
            result = .success(())
        } catch {
            result = .failure(error)
        }
        await twin.stop()
        try result.get()
    }

    private static func path(_ merchant: String, _ event: String) -> String {
        "/v1/apple-pay/merchant-tokens/\(merchant)/notification/merchantToken/\(event)"
    }

    /// Waits until an answer has a value, not longer than a test's patience.
    private static func wait(for value: JSON, at pointer: String, in read: () async throws -> JSON) async throws {
        let end = ContinuousClock.now + .patience
        while true {
            let json = try await read()
            if json.at(pointer) == value { return }
            guard ContinuousClock.now < end else { throw HarnessFailure.neverCame("\(value), but \(json)") }
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    @Test(
        "an agreement that begins with a merchant token hears of it, and has it unlinked",
        arguments: DatabaseEngine.allCases
    )
    func life(_ engine: DatabaseEngine) async throws {
        let contract = try Contract()
        try await Self.with(engine) { stage, twin, airline in
            let client = try await stage.api.client("checkout")
            let made = try await client.post(
                "/v1/agreements",
                [
                    "external_identifier": "airline", "type": "recurring", "currency": "USD",
                    "maximum_amount": 5_000, "description": "Lounge, monthly",
                ]
            )
            let id = try #require(made.json["id"]?.stringValue)
            var payment = TestApplePayment(amount: 1_000)
            payment.merchantTokenIdentifier = Self.token
            let first = try await client.post(
                "/v1/orders",
                [
                    "currency": "USD", "amount": 1_000, "policy": ["type": "all_or_nothing"],
                    "payment": ["type": "apple_pay", "token": try stage.token(payment)],
                    "contexts": [
                        ["external_identifier": "airline", "amount": 1_000, "agreement": .string(id)]
                    ],
                ],
                key: "first"
            )
            #expect(first.json["status"] == "paid", "\(first)")
            let shown = try await client.get("/v1/agreements/\(id)")
            #expect(shown.json["state"] == "active", "\(shown)")
            #expect(shown.json.at("method/merchant_token_identifier")?.stringValue == Self.token, "\(shown)")
            twin.book.put(
                "evt-1",
                ["eventType": "UNLINK", "merchantTokenIdentifier": .string(Self.token), "reason": "USER"]
            )
            for _ in 1...3 {
                let reply = try await stage.api.anonymous.get(Self.path(airline.text, "evt-1"))
                #expect(reply.status == 200)
                #expect(reply.bytes.isEmpty)
            }
            try await Self.wait(for: "method_unlinked", at: "suspension") {
                try await client.get("/v1/agreements/\(id)").json
            }
            #expect(twin.book.fetched == ["evt-1"])
            let suspended = try await client.get("/v1/agreements/\(id)")
            #expect(contract.complaints(about: suspended, to: "GET /v1/agreements/{id}").isEmpty, "\(suspended)")
            let charge: JSON = ["currency": "USD", "amount": 2_000, "reason": "recurring"]
            let refused = try await client.post("/v1/agreements/\(id)/charges", charge, key: "charge")
            #expect((refused.status, refused.json["code"]) == (409, "agreement_suspended"))
            let ended = try await client.post("/v1/agreements/\(id)/end", .object([]))
            #expect(ended.json["state"] == "ending", "\(ended)")
            try await Self.wait(for: "ended", at: "state") { try await client.get("/v1/agreements/\(id)").json }
            // Apple had unlinked it already.
            #expect(twin.book.unlinked == [])
        }
    }

    @Test("whatever is announced is answered 200, and what is no event of a merchant's is not written down")
    func strangers() async throws {
        try await Self.with(.sqlite) { stage, twin, airline in
            var ids = IdentifierSource()
            let nobody: MerchantID = ids.make(at: stage.api.clock.now())
            let paths = [
                Self.path(nobody.text, "evt-1"), Self.path("airline", "evt-1"), Self.path("mer_1", "evt-1"),
                Self.path(airline.text, String(repeating: "x", count: 129)), Self.path(airline.text, "%27%20OR%201"),
                Self.path(airline.text, "%2e%2e%2f"),
            ]
            for path in paths { #expect(try await stage.api.anonymous.get(path).status == 200, "\(path)") }
            let stored = try await stage.api.database.read { session in
                try MerchantTokenNoticeTable.list(of: nil, in: nil, limit: 10, in: session)
            }
            #expect(stored == [])
            #expect(try await stage.api.anonymous.get(Self.path(airline.text, "evt-1")).status == 200)
            let one = try await stage.api.database.read { session in
                try MerchantTokenNoticeTable.list(of: "travel", in: nil, limit: 10, in: session)
            }
            #expect(one.map(\.event) == ["evt-1"])
            let posted = try await stage.api.anonymous.post(Self.path(airline.text, "evt-1"), .object([]))
            #expect(posted.status == 405)
        }
    }

    @Test("what cannot be fetched waits for a person, about no order")
    func attention() async throws {
        let contract = try Contract()
        try await Self.with(.sqlite) { stage, twin, airline in
            twin.book.script("evt-1", 403, 403, 403, 403, 403, 403, 403)
            _ = try await stage.api.anonymous.get(Self.path(airline.text, "evt-1"))
            let support = try await stage.api.client("support")
            try await Self.wait(for: "merchant_token_notices_failing", at: "data/0/reason") {
                stage.api.clock.advance(milliseconds: 30_000)
                return try await support.get("/v1/attention").json
            }
            let list = try await support.get("/v1/attention?reason=merchant_token_notices_failing")
            #expect(list.json.at("data/0/id") == "apple_pay.merchant_token_notices_failing", "\(list)")
            #expect(list.json.at("data/0/finding") == "Apple answers 403")
            #expect(contract.complaints(about: list, to: "GET /v1/attention").isEmpty, "\(list)")
            let next = try await support.get("/v1/attention?starting_after=apple_pay.merchant_token_notices_failing")
            #expect(next.json["data"] == [])
        }
    }
}
