import Domain
import Gateway
import StrictJSON
import Testing
import TributaryTestKit

@testable import HTTPAPI

@Suite("Tips and shipping", .timeLimit(.minutes(10)))
struct TipAndShippingTests {
    /// The airline is paid a tip and ships through the marketplace; of the hotel's guests the marketplace takes the tip.
    private static let body = OrderBody.trip
        .with(
            "contexts/0/allocation",
            [["kind": "tip", "amount": 1000], ["kind": "shipping", "amount": 2000, "kept_by": "marketplace"]]
        )
        .with("contexts/1/allocation", [["kind": "tip", "amount": 500, "kept_by": "marketplace"]])

    private static func lines(_ payment: JSON?, _ key: String = "amount") -> [String] {
        (payment?["allocation"]?.arrayValue ?? []).map { line in
            let (kind, party) = (line["kind"]?.stringValue ?? "", line["party"]?.stringValue ?? "")
            return "\(kind) \(party) \(line[key]?.integerValue ?? -1)"
        }
    }

    @Test("are frozen as lines, and given back to the unit by parts", arguments: DatabaseEngine.allCases)
    func life(_ engine: DatabaseEngine) async throws {
        let contract = try Contract()
        try await APIHarness.with(engine) { api in
            let stage = try await OrderStage(api, Self.body)
            let placed = try await stage.client.get("/v1/orders/\(stage.order)")
            #expect(contract.complaints(about: placed, to: "GET /v1/orders/{id}") == [])
            #expect(
                Self.lines(placed.json.at("payments/0")) == [
                    "merchant airline 23513", "commission travel 2930", "commission_tax travel 557", "tip airline 1000",
                    "shipping travel 2000",
                ]
            )
            #expect(
                Self.lines(placed.json.at("payments/1")) == [
                    "merchant hotel 13775", "commission travel 725", "tip travel 500",
                ]
            )
            #expect(try await stage.ask("refunds", stage.items(10_000, 500)).json["status"] == "succeeded")
            #expect(
                Self.lines(try await stage.now().at("payments/0"), "refunded") == [
                    "merchant airline 7838", "commission travel 977", "commission_tax travel 186", "tip airline 333",
                    "shipping travel 666",
                ]
            )
            let statement = try await stage.client.get("/v1/merchants/airline/statement?currency=USD")
            #expect(contract.complaints(about: statement, to: "GET /v1/merchants/{id}/statement") == [])
            #expect(statement.json.at("balance/gross") == 30_000)
            #expect(statement.json.at("balance/shipping") == -2_000)
            #expect(statement.json.at("balance/shipping_returned") == 666)
            #expect(statement.json.at("balance/tips") == 0)
            #expect(statement.json.at("balance/closing") == .integer(24_513 - 8_171))
            let hotel = try await stage.client.get("/v1/merchants/hotel/statement?currency=USD")
            #expect(hotel.json.at("direct/tips_by_psp") == .integer(-500 + 17))
            #expect(hotel.json.at("direct/commission_by_psp") == .integer(-725 + 24))
            for (key, amount) in [("b", 1), ("c", 19_999)] as [(String, Int64)] {
                #expect(try await stage.ask("refunds", stage.items(amount), key: key).json["status"] == "succeeded")
            }
            let order = try await stage.now()
            #expect(Self.lines(order.at("payments/0"), "refunded") == Self.lines(order.at("payments/0")))
            let complaints = try await LedgerCheck.complaints(about: api.database, rules: api.gateway.settings.rules)
            #expect(complaints == [])
        }
    }

    @Test("are captured by parts, in proportion", arguments: DatabaseEngine.allCases)
    func parts(_ engine: DatabaseEngine) async throws {
        try await APIHarness.with(engine) { api in
            let body = Self.body.with("capture", "manual").with("policy", ["type": "best_effort"])
            let stage = try await OrderStage(api, body)
            let first = stage.items(15_000).with("items/0/final", false)
            #expect(try await stage.ask("capture", first).status == 200)
            let half = [
                "merchant airline 11757", "commission travel 1465", "commission_tax travel 278", "tip airline 500",
                "shipping travel 1000",
            ]
            #expect(Self.lines(try await stage.now().at("payments/0"), "captured") == half)
            #expect(try await stage.ask("capture", stage.items(15_000), key: "b").status == 200)
            let order = try await stage.now()
            #expect(Self.lines(order.at("payments/0"), "captured") == Self.lines(order.at("payments/0")))
            let complaints = try await LedgerCheck.complaints(about: api.database, rules: api.gateway.settings.rules)
            #expect(complaints == [])
        }
    }

    @Test("are charged on as the merchant's rule says", arguments: DatabaseEngine.allCases)
    func rule(_ engine: DatabaseEngine) async throws {
        try await APIHarness.with(engine) { api in
            let client = try await api.client("checkout", "operator")
            let rule: JSON = ["basis_points": 1000, "applies_to": ["goods", "tip"]]
            let merchant: JSON = [
                "external_identifier": "airline", "name": "Airline", "routes": [["psp_account": "sim-a"]],
                "commission": rule,
            ]
            let saved = try await client.post("/v1/merchants", merchant)
            #expect(saved.json.at("commission/applies_to") == ["goods", "tip"])
            let order = try await client.post("/v1/orders", Self.body, key: "a")
            let lines = Self.lines(order.json.at("payments/0"))
            #expect(lines.prefix(2) == ["merchant airline 24200", "commission travel 2800"])
        }
    }

    @Test("of the marketplace find no route that pays the merchant all of it", arguments: DatabaseEngine.allCases)
    func invoiced(_ engine: DatabaseEngine) async throws {
        try await APIHarness.with(engine) { api in
            let client = try await api.client("checkout")
            let taxi = OrderBody.context("taxi", 15_000, token: "tok_taxi", at: "sim-c")
            let kept = OrderBody.trip.with("contexts/1", taxi)
                .with("contexts/1/allocation", [["kind": "tip", "amount": 5, "kept_by": "marketplace"]])
            let refused = try await client.post("/v1/orders", kept, key: "a")
            #expect((refused.status, refused.errors) == (422, ["/contexts/1/external_identifier no_route"]))
            let own = kept.with("contexts/1/allocation/0/kept_by", "merchant")
            #expect(try await client.post("/v1/orders", own, key: "b").status == 201)
        }
    }

    @Test(
        "are refused with their place and code",
        arguments: [
            ("contexts/0/allocation", [], "empty"),
            ("contexts/0/allocation/0/kind", "merchant", "not_allowed"),
            ("contexts/0/allocation/0/kind", nil, "missing_field"),
            ("contexts/0/allocation/0/amount", 0, "out_of_range"),
            ("contexts/0/allocation/0/amount", -5, "out_of_range"),
            ("contexts/0/allocation/0/amount", "5", "wrong_type"),
            ("contexts/0/allocation/0/kept_by", "state", "not_allowed"),
            ("contexts/0/allocation/0/party", "airline", "unknown_field"),
        ] as [(String, JSON?, String)]
    )
    func refusals(_ path: String, _ value: JSON?, _ code: String) throws {
        let refusal = try #require(throws: InvalidDocument.self) {
            try OrderDraftReader(limits: APILimits()).draft(Self.body.with(path, value))
        }
        #expect(refusal.violations.map { "\($0.pointer) \($0.code)" } == ["/\(path) \(code)"])
    }

    @Test("come to no more than the context, stand once for each who keeps them, and leave the rest to items")
    func sums() throws {
        func codes(_ path: String, _ value: JSON) throws -> [String] {
            do throws(InvalidDocument) {
                _ = try OrderDraftReader(limits: APILimits()).draft(Self.body.with(path, value))
                return []
            } catch {
                return error.violations.map { "\($0.pointer) \($0.code)" }
            }
        }
        let place = "contexts/0/allocation/0/amount"
        #expect(try codes(place, 28_000) == [])
        #expect(try codes(place, 28_001) == ["/contexts/0/allocation allocation_exceeds_amount"])
        #expect(try codes(place, .integer(.max)) == ["/contexts/0/allocation allocation_exceeds_amount"])
        let twice: JSON = [["kind": "tip", "amount": 1], ["kind": "tip", "amount": 2, "kept_by": "merchant"]]
        #expect(try codes("contexts/0/allocation", twice) == ["/contexts/0/allocation/1 duplicate_allocation_line"])
        func item(_ amount: Int64) -> JSON { [["name": "Seat", "quantity": 1, "unit_amount": .integer(amount)]] }
        #expect(try codes("contexts/0/line_items", item(27_000)) == [])
        #expect(
            try codes("contexts/0/line_items", item(27_001)) == ["/contexts/0/line_items line_items_exceed_amount"]
        )
    }
}
