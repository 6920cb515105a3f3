import Domain
import Gateway
import SQL
import Storage
import StrictJSON
import Testing
import TributaryTestKit

@Suite("POST /v1/orders", .timeLimit(.minutes(10)))
struct PlacingTests {
    @Test("answers 201 with the whole order", arguments: DatabaseEngine.allCases)
    func accepted(_ engine: DatabaseEngine) async throws {
        try await APIHarness.with(engine) { api in
            let client = try await api.client("checkout")
            let reply = try await client.post("/v1/orders", OrderBody.trip, key: "a")
            #expect(reply.status == 201, "\(reply)")
            #expect(reply.json["status"] == "paid")
            #expect(reply.json["decision"] == "accepted")
            #expect(reply.json["captured_amount"] == 45_000)
            let id = try #require(reply.json["id"]?.stringValue)
            #expect(reply.header("Location") == "/v1/orders/\(id)")
            #expect(reply.header("Content-Type") == "application/json")
            #expect(reply.header("Request-Id")?.hasPrefix("req_") == true)
            #expect(try await client.get("/v1/orders/\(id)").bytes == reply.bytes)
        }
    }

    @Test(
        "passes over routes that do not serve the card's network, and says so where none is left",
        arguments: DatabaseEngine.allCases
    )
    func networks(_ engine: DatabaseEngine) async throws {
        try await APIHarness.with(engine) { api in
            let client = try await api.client("checkout")
            try await api.gateway.database.write { session in
                var airline = try #require(try MerchantTable.find(["airline"], of: "travel", in: session).first)
                airline.routes = [Merchant.Route(pspAccount: "sim-a", networks: ["amex", "visa"])]
                try MerchantTable.save(airline, at: api.clock.now(), in: session)
            }
            let card: JSON = [
                "type": "network_token", "number": "4242424242424242", "expiry_month": 12, "expiry_year": 2030,
                "cryptogram": "AAAA", "network": "MasterCard",
            ]
            let refused = try await client.post("/v1/orders", OrderBody.trip.with("contexts/0/payment", card), key: "a")
            #expect((refused.status, refused.errors) == (422, ["/contexts/0/external_identifier no_route"]))
            #expect(
                refused.json.at("errors/0/detail")
                    == "No PSP account of the merchant can take this payment: sim-a: does not serve mastercard."
            )
            #expect(await api.psp.calls.isEmpty)
            for (key, network) in [("b", "VISA"), ("c", nil)] as [(String, JSON?)] {
                let body = OrderBody.trip.with("contexts/0/payment", card.with("network", network))
                #expect(try await client.post("/v1/orders", body, key: key).status == 201)
            }
        }
    }

    @Test("says that a PSP knows no customers, and leaves nothing held")
    func customers() async throws {
        try await APIHarness.with(.sqlite) { api in
            let client = try await api.client("checkout")
            let body = OrderBody.trip.with("contexts/0/payment/customer", "cus_1")
            let reply = try await client.post("/v1/orders", body, key: "a")
            #expect((reply.status, reply.json["decision"]) == (201, "refused"))
            #expect(reply.json.at("payments/0/status") == "rejected")
            #expect(reply.json.at("payments/0/rejection/code") == "customer")
        }
    }
}
