import Domain
import Foundation
import SQL
import StrictJSON
import Testing
import TributaryTestKit

@Suite("A payment request that an order names", .timeLimit(.minutes(10)))
struct PaymentRequestBindingTests {
    private static let path = "/v1/orders"

    /// Stores a request for the airline and answers its id and the bytes that the sheet was given.
    private static func store(_ client: APIClient) async throws -> (id: JSON, applicationData: [UInt8]) {
        let stored = try await client.post(
            "/v1/payment-requests",
            [
                "currency": "USD", "amount": 30_000, "country": "US",
                "contexts": [["external_identifier": "airline", "amount": 30_000]],
            ]
        )
        #expect(stored.status == 201, "\(stored)")
        let text = try #require(stored.json.at("request/applicationData")?.stringValue)
        let decoded = try #require(Data(base64Encoded: text).map(Array.init))
        return (try #require(stored.json["id"]), decoded)
    }

    private static func order(_ stage: WalletStage, _ applicationData: [UInt8]?, _ request: JSON) throws -> JSON {
        let token = try stage.token(TestApplePayment(amount: 30_000), applicationData: applicationData)
        return WalletStage.order([("airline", 30_000)], token: token).with("payment_request", request)
    }

    @Test("binds the token to this checkout, once", arguments: DatabaseEngine.allCases)
    func binding(_ engine: DatabaseEngine) async throws {
        try await WalletStage.with(engine) { stage in
            let client = try await stage.api.client("checkout")
            let request = try await Self.store(client)
            let other = try await Self.store(client)
            let foreign = try await client.post(
                Self.path,
                try Self.order(stage, other.applicationData, request.id),
                key: "foreign"
            )
            #expect(foreign.errors == ["/payment/token application_data_mismatch"])
            let bare = try await client.post(Self.path, try Self.order(stage, nil, request.id), key: "bare")
            #expect(bare.errors == ["/payment/token application_data_mismatch"])
            let placed = try await client.post(
                Self.path,
                try Self.order(stage, request.applicationData, request.id),
                key: "placed"
            )
            #expect(placed.json["status"] == "paid", "\(placed)")
            let again = try await client.post(
                Self.path,
                try Self.order(stage, request.applicationData, request.id),
                key: "again"
            )
            #expect(again.errors == ["/payment_request payment_request_used"])
            #expect(await stage.api.psp.count(.authorize) == 1)
        }
    }

    @Test("binds a token, too, that goes on unopened to a PSP") func unopened() async throws {
        try await WalletStage.with(.sqlite, passThrough: ["airline"], adapter: UnopenedTokenAdapter.self) { stage in
            let client = try await stage.api.client("checkout")
            let (request, other) = (try await Self.store(client), try await Self.store(client))
            let device = try TestWallet(merchantIdentifier: "merchant.psp", pki: stage.device.pki)
            let cases = [
                (other.applicationData, ["/payment/token application_data_mismatch"]),
                (nil, ["/payment/token application_data_mismatch"]), (request.applicationData, []),
            ]
            for (number, (data, errors)) in cases.enumerated() {
                let payment = TestApplePayment(amount: 30_000)
                let token = try device.token(payment, signedAt: stage.api.clock.now(), applicationData: data)
                let body = WalletStage.order([("airline", 30_000)], token: token).with("payment_request", request.id)
                let reply = try await client.post(Self.path, body, key: "key-\(number)")
                #expect(reply.errors == errors, "\(reply)")
            }
            #expect(await stage.api.psp.count(.authorize) == 1)
        }
    }

    @Test("lasts as long by the world's clock, wherever the test clock stands") func testClock() async throws {
        try await WalletStage.with(.sqlite) { stage in
            let client = try await stage.api.client("checkout", "operator")
            let moved = try await client.post("/v1/test-clock/advance", ["by_seconds": 691_200])
            #expect(moved.status == 200, "\(moved)")
            let request = try await Self.store(client)
            let body = try Self.order(stage, request.applicationData, request.id)
            #expect(try await client.post(Self.path, body, key: "placed").json["status"] == "paid")
        }
    }

    @Test("has to be there, in time and in the order's currency")
    func refusals() async throws {
        try await WalletStage.with(.sqlite) { stage in
            let client = try await stage.api.client("checkout")
            let request = try await Self.store(client)
            let trip = OrderBody.trip
            let unknown = trip.with("payment_request", "prq_00000000000000000000000000")
            #expect(
                try await client.post(Self.path, unknown, key: "a").errors
                    == ["/payment_request unknown_payment_request"]
            )
            let yen = trip.with("payment_request", request.id).with("currency", "JPY")
            #expect(
                try await client.post(Self.path, yen, key: "b").errors == ["/payment_request currency_mismatch"]
            )
            stage.api.clock.advance(milliseconds: 1_800_000)
            let late = try await client.post(Self.path, trip.with("payment_request", request.id), key: "c")
            #expect(late.errors == ["/payment_request payment_request_expired"])
        }
    }
}
