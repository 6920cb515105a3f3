import Domain
import SQL
import Storage
import StrictJSON
import Testing
import TributaryTestKit

@Suite("Orders that Apple Pay pays", .timeLimit(.minutes(10)))
struct ApplePayOrderTests {
    private static let path = "/v1/orders"

    @Test("send what is in the token as a network token with its cryptogram", arguments: DatabaseEngine.allCases)
    func single(_ engine: DatabaseEngine) async throws {
        try await WalletStage.with(engine) { stage in
            let client = try await stage.api.client("checkout")
            let body = WalletStage.order(
                [("airline", 30_000)],
                token: try stage.token(TestApplePayment(amount: 30_000))
            )
            let reply = try await client.post(Self.path, body, key: "one")
            #expect(reply.status == 201, "\(reply)")
            #expect(reply.json["status"] == "paid")
            #expect(try await stage.cryptogramsSent() == [30_000: TestApplePayment(amount: 1).cryptogram])
            let id = try #require(reply.json["id"]?.stringValue)
            let events = try await client.get("\(Self.path)/\(id)/events")
            let opened = try #require(events.json["data"]?.arrayValue?.first { $0["type"] == "payment.token_opened" })
            #expect(opened["details"]?["wallet"] == "apple_pay")
            let again = try await client.post(Self.path, body, key: "one")
            #expect(again.status == 201)
            #expect(again.json == reply.json)
        }
    }

    @Test("give each merchant of a bundle its own cryptogram", arguments: DatabaseEngine.allCases)
    func bundle(_ engine: DatabaseEngine) async throws {
        try await WalletStage.with(engine) { stage in
            let client = try await stage.api.client("checkout")
            let payment = TestApplePayment(
                amount: 60_000,
                responses: [
                    WalletStage.response("taxi", 10_000), WalletStage.response("airline", 30_000),
                    WalletStage.response("hotel", 20_000),
                ]
            )
            let body = WalletStage.order(
                [("airline", 30_000), ("hotel", 20_000), ("taxi", 10_000)],
                token: try stage.token(payment)
            )
            let reply = try await client.post(Self.path, body, key: "bundle")
            #expect(reply.json["status"] == "paid", "\(reply)")
            #expect(
                try await stage.cryptogramsSent() == [
                    30_000: WalletStage.cryptogram(of: "airline"), 20_000: WalletStage.cryptogram(of: "hotel"),
                    10_000: WalletStage.cryptogram(of: "taxi"),
                ]
            )
            let hashes = try await stage.api.database.read { session in
                try MerchantHashTable.list(of: "travel", limit: 10, in: session)
            }
            #expect(Set(hashes.map(\.hash)) == ["hash-of-taxi", "hash-of-airline", "hash-of-hotel"])
            #expect(hashes.allSatisfy { $0.state == .recorded })
        }
    }

    @Test("fail closed where equal amounts leave a choice", arguments: DatabaseEngine.allCases)
    func ambiguous(_ engine: DatabaseEngine) async throws {
        try await WalletStage.with(engine) { stage in
            try await stage.name(["airline": "merchant.airline", "hotel": "merchant.hotel"])
            let client = try await stage.api.client("checkout")
            let contexts = [(merchant: "airline", amount: Int64(20_000)), (merchant: "hotel", amount: 20_000)]
            let payment = TestApplePayment(
                amount: 40_000,
                responses: [WalletStage.response("hotel", 20_000), WalletStage.response("airline", 20_000)]
            )
            func place(_ key: String) async throws -> APIReply {
                try await client.post(
                    Self.path,
                    WalletStage.order(contexts, token: try stage.token(payment)),
                    key: key
                )
            }
            let refused = try await place("first")
            #expect(refused.status == 422)
            #expect(refused.json.at("errors/0/code") == "ambiguous_authentication_responses")
            #expect(refused.json.at("errors/0/pointer") == "/payment/token")
            #expect(await stage.api.psp.count(.authorize) == 0)

            // What was seen is recorded all the same; confirmed, it decides.
            try await stage.decide("hash-of-airline", "merchant.airline", .confirmed)
            let matched = try await place("second")
            #expect(matched.json["status"] == "paid", "\(matched)")
            let orders = await stage.api.psp.calls.filter { $0.kind == .authorize }
            #expect(orders.count == 2)

            // The airline's hash with an amount that is the hotel's contradicts what is confirmed.
            let swapped = TestApplePayment(
                amount: 50_000,
                responses: [WalletStage.response("airline", 20_000), WalletStage.response("hotel", 30_000)]
            )
            let contradicted = try await client.post(
                Self.path,
                WalletStage.order([("airline", 30_000), ("hotel", 20_000)], token: try stage.token(swapped)),
                key: "third"
            )
            #expect(contradicted.json.at("errors/0/code") == "confirmed_hash_contradicted", "\(contradicted)")
            let rows = try await stage.api.database.read { session in
                try MerchantHashTable.contradicted(of: nil, limit: 10, in: session)
            }
            #expect(rows.map(\.hash) == ["hash-of-airline"])
            #expect(await stage.api.psp.count(.authorize) == 2)
        }
    }

    @Test("blame the hash whose amount is another merchant's, and no other", arguments: DatabaseEngine.allCases)
    func contradiction(_ engine: DatabaseEngine) async throws {
        try await WalletStage.with(engine) { stage in
            let merchants = ["airline", "hotel", "taxi"]
            try await stage.name(Dictionary(uniqueKeysWithValues: merchants.map { ($0, "merchant." + $0) }))
            let client = try await stage.api.client("checkout")
            func place(_ amounts: [Int64], _ key: String) async throws -> APIReply {
                let responses = zip(merchants, amounts).map { WalletStage.response($0, $1) }
                let token = try stage.token(TestApplePayment(amount: 60_000, responses: responses))
                let contexts = zip(merchants, [30_000, 20_000, 10_000] as [Int64]).map { (merchant: $0, amount: $1) }
                return try await client.post(Self.path, WalletStage.order(contexts, token: token), key: key)
            }
            #expect(try await place([30_000, 20_000, 10_000], "first").json["status"] == "paid")
            try await stage.decide("hash-of-airline", "merchant.airline", .confirmed)
            try await stage.decide("hash-of-taxi", "merchant.taxi", .confirmed)
            let swapped = try await place([20_000, 30_000, 10_000], "second")
            #expect(swapped.json.at("errors/0/code") == "confirmed_hash_contradicted", "\(swapped)")
            let rows = try await stage.api.database.read { session in
                try MerchantHashTable.contradicted(of: nil, limit: 10, in: session)
            }
            #expect(rows.map(\.hash) == ["hash-of-airline"])
        }
    }

    @Test("take a token once, whoever sends it", arguments: DatabaseEngine.allCases)
    func replay(_ engine: DatabaseEngine) async throws {
        try await WalletStage.with(engine) { stage in
            let client = try await stage.api.client("checkout")
            let token = try stage.token(TestApplePayment(amount: 30_000))
            let body = WalletStage.order([("airline", 30_000)], token: token)
            let replies = try await withThrowingTaskGroup(of: APIReply.self) { group in
                for number in 0..<8 { group.addTask { try await client.post(Self.path, body, key: "key-\(number)") } }
                return try await group.reduce(into: [APIReply]()) { $0.append($1) }
            }
            #expect(replies.count { $0.status == 201 } == 1)
            #expect(replies.count { $0.json.at("errors/0/code") == "token_already_used" } == 7)
            #expect(await stage.api.psp.count(.authorize) == 1)
        }
    }
}
