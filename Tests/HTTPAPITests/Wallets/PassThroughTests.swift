import Domain
import StrictJSON
import Testing
import TributaryTestKit

@Suite("Apple Pay tokens that are for a PSP's certificate", .timeLimit(.minutes(10)))
struct PassThroughTests {
    private static let path = "/v1/orders"

    /// A token that none of the marketplace's keys is for, of a signer that it trusts.
    private static func foreign(_ stage: WalletStage) throws -> JSON {
        let other = try TestWallet(merchantIdentifier: "merchant.psp", pki: stage.device.pki)
        return try other.token(TestApplePayment(amount: 30_000), signedAt: stage.api.clock.now())
    }

    @Test(
        "go on unopened where the merchant's route says so, byte for byte, and only once",
        arguments: DatabaseEngine.allCases
    )
    func unopened(_ engine: DatabaseEngine) async throws {
        let adapter = UnopenedTokenAdapter.self
        try await WalletStage.with(engine, passThrough: ["airline"], adapter: adapter) { stage in
            let client = try await stage.api.client("checkout")
            let token = try Self.foreign(stage)
            let body = WalletStage.order([("airline", 30_000)], token: token)
            let reply = try await client.post(Self.path, body, key: "one")
            #expect(reply.json["status"] == "paid", "\(reply)")
            let call = try #require(await stage.api.psp.calls.first { $0.kind == .authorize })
            #expect(try JSON.parse(call.body)["token"]?.stringValue == token["paymentData"]?.text)

            let id = try #require(reply.json["id"]?.stringValue)
            let events = try await client.get("\(Self.path)/\(id)/events")
            let told = try #require(events.json["data"]?.arrayValue?.first { $0["type"] == "payment.token_opened" })
            #expect(told["details"]?["passed_on"] == "unopened")
            #expect(told["details"]?["transaction_id"] == token.at("paymentData/header/transactionId"))

            let again = try await client.post(Self.path, body, key: "two")
            #expect(again.status == 422)
            #expect(again.json.at("errors/0/code") == "token_already_used")
            #expect(again.json.at("errors/0/stage") == "replay")
            let shouted = token.with(
                "paymentData/header/transactionId",
                token.at("paymentData/header/transactionId")?.stringValue.map { .string($0.uppercased()) }
            )
            let louder = try await client.post(
                Self.path,
                WalletStage.order([("airline", 30_000)], token: shouted),
                key: "three"
            )
            #expect(louder.json.at("errors/0/code") == "token_already_used")
            #expect(await stage.api.psp.count(.authorize) == 1)
        }
    }

    @Test("are opened all the same if they are for the marketplace's own certificate")
    func own() async throws {
        try await WalletStage.with(.sqlite, passThrough: ["airline"], adapter: UnopenedTokenAdapter.self) { stage in
            let client = try await stage.api.client("checkout")
            let token = try stage.token(TestApplePayment(amount: 30_000))
            let body = WalletStage.order([("airline", 30_000)], token: token)
            #expect(try await client.post(Self.path, body, key: "one").json["status"] == "paid")
            #expect(try await stage.cryptogramsSent() == [30_000: TestApplePayment(amount: 1).cryptogram])
        }
    }

    @Test("are refused where the PSP's adapter takes none, which the answer says")
    func noTaker() async throws {
        try await WalletStage.with(.sqlite, passThrough: ["airline"]) { stage in
            let client = try await stage.api.client("checkout")
            let body = WalletStage.order([("airline", 30_000)], token: try Self.foreign(stage))
            let reply = try await client.post(Self.path, body, key: "one")
            #expect(reply.status == 422)
            #expect(reply.json.at("errors/0/code") == "no_route")
            let detail = reply.json.at("errors/0/detail")?.stringValue
            #expect(detail?.contains("sim-a: takes no encrypted_apple_pay") == true, "\(reply)")
            #expect(await stage.api.psp.count(.authorize) == 0)
        }
    }

    @Test("are refused if they are no whole tokens, or forged, though a PSP would look at them")
    func forged() async throws {
        try await WalletStage.with(.sqlite, passThrough: ["airline"], adapter: UnopenedTokenAdapter.self) { stage in
            let client = try await stage.api.client("checkout")
            let token = try Self.foreign(stage)
            let faults = [
                ("paymentData/header/transactionId", JSON.string(String(repeating: "0", count: 64)), "signature"),
                ("paymentData/header/transactionId", "", "structure"), ("paymentData/version", "EC_v2", "structure"),
            ]
            for (index, fault) in faults.enumerated() {
                let body = WalletStage.order([("airline", 30_000)], token: token.with(fault.0, fault.1))
                let reply = try await client.post(Self.path, body, key: "key-\(index)")
                #expect(reply.status == 422)
                #expect(reply.json.at("errors/0/stage")?.stringValue == fault.2, "\(reply)")
            }
            #expect(await stage.api.psp.count(.authorize) == 0)
        }
    }
}
