import Domain
import Foundation
import SQL
import Storage
import StrictJSON
import Testing
import TributaryTestKit

@Suite("Agreements that begin with an Apple Pay token", .timeLimit(.minutes(10)))
struct AgreementTokenTests {
    private static let request: JSON = [
        "currency": "USD", "amount": 1_000, "country": "US",
        "contexts": [["external_identifier": "airline", "amount": 1_000]],
        "agreement": [
            "type": "recurring", "description": "Lounge", "management_url": "https://shop.example/lounge",
            "maximum_amount": 5_000, "billing": ["label": "Lounge", "amount": 1_000, "interval_unit": "month"],
        ],
    ]

    /// The order that a sheet's token pays, under the agreement that its payment request has made.
    private static func order(_ stage: WalletStage, _ asked: JSON, _ payment: TestApplePayment) throws -> JSON {
        let text = try #require(asked.at("request/applicationData")?.stringValue)
        let data: [UInt8] = try #require(Data(base64Encoded: text).map(Array.init))
        let (id, agreement): (JSON, JSON) = (try #require(asked["id"]), try #require(asked["agreement"]))
        return WalletStage.order([("airline", 1_000)], token: try stage.token(payment, applicationData: data))
            .with("payment_request", id).with("contexts/0/agreement", agreement)
    }

    @Test(
        "are charged by the number that we keep, where the PSP makes no token, until they end",
        arguments: DatabaseEngine.allCases
    )
    func number(_ engine: DatabaseEngine) async throws {
        let contract = try Contract()
        try await WalletStage.with(engine, adapter: TokenlessAdapter.self) { stage in
            let client = try await stage.api.client("checkout")
            let asked = try await client.post("/v1/payment-requests", Self.request).json
            let id = try #require(asked["agreement"]?.stringValue, "\(asked)")
            let payment = TestApplePayment(amount: 1_000)
            let first = try await client.post("/v1/orders", try Self.order(stage, asked, payment), key: "first")
            #expect(first.json["status"] == "paid", "\(first)")
            let active = try await client.get("/v1/agreements/\(id)")
            #expect(active.json["state"] == "active", "\(active)")
            #expect(active.json.at("method/kind") == "network_token")
            #expect(active.json.at("method/last4")?.stringValue == String(payment.number.suffix(4)))
            #expect(active.json.at("method/expires") == "2029-12")
            #expect(contract.complaints(about: active, to: "GET /v1/agreements/{id}").isEmpty, "\(active)")
            let charge: JSON = ["currency": "USD", "amount": 5_000, "reason": "recurring"]
            for number in 1...2 {
                let charged = try await client.post("/v1/agreements/\(id)/charges", charge, key: "charge-\(number)")
                #expect(charged.json["status"] == "paid", "\(charged)")
            }
            let bodies = try await stage.api.psp.calls.filter { $0.kind == .authorize }.map { try JSON.parse($0.body) }
            #expect(bodies.count == 3)
            #expect(
                bodies.map { $0.at("network_token/number")?.stringValue } == Array(repeating: payment.number, count: 3)
            )
            #expect(bodies.map { $0.at("network_token/cryptogram")?.stringValue } == [payment.cryptogram, nil, nil])
            #expect(bodies.map { $0["initiator"]?.stringValue } == [nil, "merchant", "merchant"])
            for path in ["/v1/agreements/\(id)", "/v1/orders/\(first.json["id"]?.stringValue ?? "")", "/v1/events"] {
                let shown = try await client.get(path)
                #expect(!String(decoding: shown.bytes, as: UTF8.self).contains(payment.number), "\(path)")
            }
            let ended = try await client.post("/v1/agreements/\(id)/end", .object([]))
            #expect(ended.json["state"] == "ended", "\(ended)")
            #expect(ended.json["method"] == .null)
            let left = try await stage.api.database.read { session in
                try session.rows("SELECT COUNT(*) AS count FROM agreement_method")[0].integer("count")
            }
            #expect(left == 0)
        }
    }

    @Test("are charged by the PSP's own token where it makes one")
    func token() async throws {
        try await WalletStage.with(.sqlite) { stage in
            let client = try await stage.api.client("checkout")
            let asked = try await client.post("/v1/payment-requests", Self.request).json
            let id = try #require(asked["agreement"]?.stringValue, "\(asked)")
            let order = try Self.order(stage, asked, TestApplePayment(amount: 1_000))
            #expect(try await client.post("/v1/orders", order, key: "first").json["status"] == "paid")
            let active = try await client.get("/v1/agreements/\(id)")
            #expect(active.json.at("method/kind") == "psp_token", "\(active)")
        }
    }
}
