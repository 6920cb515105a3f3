import Domain
import StrictJSON
import Testing
import TributaryTestKit

@Suite("Apple's sheet is told", .timeLimit(.minutes(10)))
struct ApplePaySheetTests {
    private static let path = "/v1/orders"
    private static let number = TestApplePayment(amount: 1).number

    /// An airline's and a hotel's parts, paid by one bundle.
    private static func body(_ stage: WalletStage, policy: String) throws -> JSON {
        let responses = [WalletStage.response("airline", 30_000), WalletStage.response("hotel", 20_000)]
        let token = try stage.token(TestApplePayment(amount: 50_000, responses: responses))
        return WalletStage.order([("airline", 30_000), ("hotel", 20_000)], token: token)
            .with("policy/type", .string(policy))
    }

    @Test(
        "success as a policy accepts, and failure with something for the buyer as it does not",
        arguments: [
            ("best_effort", false, "paid", "success"), ("all_or_nothing", false, "paid", "success"),
            ("best_effort", true, "partially_paid", "success"), ("all_or_nothing", true, "failed", "failure"),
        ]
    )
    func decided(_ policy: String, declines: Bool, status: String, told: String) async throws {
        try await WalletStage.with(.sqlite) { stage in
            if declines { await stage.api.psp.script(Self.number, .authorize, .decline) }
            let client = try await stage.api.client("checkout")
            let reply = try await client.post(Self.path, try Self.body(stage, policy: policy), key: "k")
            #expect(reply.status == 201, "\(reply)")
            // A refusal is told at once, though another authorization may still be on its way.
            let statuses = status == "failed" ? ["failed", "compensating"] : [status]
            #expect(statuses.contains(reply.json["status"]?.stringValue ?? ""))
            #expect(reply.json.at("apple_pay/status")?.stringValue == told)
            let errors = reply.json.at("apple_pay/errors")?.arrayValue ?? []
            let message = "The card does not have enough funds. Try another card."
            let expected: [JSON] = [["code": "unknown", "message": .string(message)]]
            #expect(errors == (told == "failure" ? expected : []))
        }
    }

    @Test("success while the order is undecided, so that nobody pays twice", arguments: DatabaseEngine.allCases)
    func undecided(_ engine: DatabaseEngine) async throws {
        try await WalletStage.with(engine) { stage in
            await stage.api.psp.script(Self.number, .authorize, .held, .held)
            let client = try await stage.api.client("checkout")
            let body = try Self.body(stage, policy: "all_or_nothing").with("on_deadline", "continue")
            async let answer = client.post(Self.path, body, key: "k")
            try await stage.api.psp.arrival(of: .authorize, Self.number, count: 2)
            stage.api.clock.advance(milliseconds: 20_000)
            let reply = try await answer
            #expect(reply.status == 202, "\(reply)")
            #expect(reply.json["apple_pay"] == ["status": "success", "errors": []])
            await stage.api.psp.release(Self.number, .authorize)
        }
    }

    @Test("which contact is wrong, where the buyer can mend it")
    func contacts() async throws {
        try await WalletStage.with(.sqlite) { stage in
            let client = try await stage.api.client("checkout")
            let body = try Self.body(stage, policy: "all_or_nothing")
            for email in ["a", "nobody", "@shop.example", "a@"] {
                let wrong = body.with("buyer", ["email": .string(email), "country": "XX"])
                let reply = try await client.post(Self.path, wrong, key: "k")
                #expect(reply.status == 422, "\(reply)")
                #expect(reply.json.at("apple_pay/status") == "failure")
                let fields = reply.json.at("apple_pay/errors")?.arrayValue?.map { $0["contactField"]?.stringValue }
                #expect(fields == ["emailAddress", "countryCode"], "\(email)")
            }
            let other = OrderBody.trip.with("buyer", ["email": "a"])
            #expect(try await client.post(Self.path, other, key: "k").json["apple_pay"] == nil)
            let right = body.with("buyer", ["email": "a@shop.example", "country": "US"])
            #expect(try await client.post(Self.path, right, key: "k").json["status"] == "paid")
        }
    }
}
