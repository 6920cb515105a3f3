import Domain
import Gateway
import SQL
import Storage
import StrictJSON
import Testing
import TributaryTestKit

@Suite("A merchant whose PSP would pay somebody else than the books say", .timeLimit(.minutes(10)))
struct PayeeMismatchTests {
    private static let ways = "set settles_to: merchant, or drop merchant_account"

    private static func ferry(_ route: JSON) -> JSON {
        ["external_identifier": "ferry", "name": "Sea Cat", "routes": [["psp_account": "sim-b"], route]]
    }

    @Test("is refused with the two ways out, each of which is taken", arguments: DatabaseEngine.allCases)
    func refused(_ engine: DatabaseEngine) async throws {
        try await APIHarness.with(engine, adapter: DirectChargeAdapter.self) { api in
            let client = try await api.client("operator")
            for route in [
                ["psp_account": "sim-a", "merchant_account": "acct_1"],
                ["psp_account": "sim-a", "merchant_account": "acct_1", "settles_to": "marketplace"],
            ] as [JSON] {
                let refused = try await client.post(MerchantTests.path, Self.ferry(route))
                #expect((refused.status, refused.errors) == (422, ["/routes/1/settles_to payee_mismatch"]))
                #expect(refused.json.at("errors/0/detail")?.stringValue?.contains(Self.ways) == true, "\(refused)")
                #expect(try await client.get("\(MerchantTests.path)/ferry").status == 404)
            }
            let direct: JSON = ["psp_account": "sim-a", "merchant_account": "acct_1", "settles_to": "merchant"]
            #expect(try await client.post(MerchantTests.path, Self.ferry(direct)).status == 201)
            #expect(try await client.post(MerchantTests.path, Self.ferry(["psp_account": "sim-a"])).status == 200)
        }
    }

    @Test("and is stored from before takes no payment, and nothing is sent", arguments: DatabaseEngine.allCases)
    func stored(_ engine: DatabaseEngine) async throws {
        try await APIHarness.with(engine, adapter: DirectChargeAdapter.self) { api in
            let client = try await api.client("checkout")
            let moment = api.clock.now()
            try await api.gateway.database.write { session in
                var hotel = try #require(try MerchantTable.find(["hotel"], of: "travel", in: session).first)
                hotel.routes = [Merchant.Route(pspAccount: "sim-b", merchantAccount: "acct_hotel")]
                try MerchantTable.save(hotel, at: moment, in: session)
            }
            let refused = try await client.post("/v1/orders", OrderBody.trip, key: "a")
            #expect((refused.status, refused.errors) == (422, ["/contexts/1/external_identifier no_route"]))
            let detail = try #require(refused.json.at("errors/0/detail")?.stringValue)
            #expect(detail.contains("sim-b: simulator pays the merchant_account directly"), "\(detail)")
            #expect(detail.contains(Self.ways))
            #expect(await api.psp.calls.isEmpty)
        }
    }
}
