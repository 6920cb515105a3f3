import SQL
import StrictJSON
import Testing
import TributaryTestKit

@Suite("Merchants", .timeLimit(.minutes(10)))
struct MerchantTests {
    static let path = "/v1/merchants"

    /// A ferry as an operator declares it, with every field there is.
    static let ferry: JSON = [
        "external_identifier": "ferry", "name": "Sea Cat", "merchant_identifier": "merchant.ferry",
        "domain": "ferry.example", "kind": "merchant", "status": "active", "statement_descriptor": "SEACAT*FERRIES",
        "routes": [
            [
                "psp_account": "sim-a", "merchant_account": "acct_ferry", "settles_to": "merchant",
                "commission_by": "invoice", "currencies": ["EUR", "USD"], "wallets": ["apple_pay"],
                "networks": ["visa"], "apple_pay": "pass_through",
            ],
            ["psp_account": "sim-b"],
        ],
        "commission": [
            "basis_points": 1250, "fixed": ["USD": 30], "minimum": ["USD": 100], "maximum": ["USD": 20_000],
            "tax_basis_points": 1900, "psp_fees_borne_by": "marketplace", "returned_on_refund": "none",
            "applies_to": ["goods"],
        ],
        "dispute_liability": "pro_rata", "time_zone": "Europe/Berlin",
        "legal": [
            "name": "Sea Cat Ltd", "address": ["Pier 4", "Dover"], "country": "GB", "tax_id": "GB123456789",
        ],
    ]

    @Test("are created, then replaced by their external identifier", arguments: DatabaseEngine.allCases)
    func saving(_ engine: DatabaseEngine) async throws {
        try await APIHarness.with(engine) { api in
            let client = try await api.client("operator")
            let created = try await client.post(Self.path, Self.ferry)
            #expect(created.status == 201, "\(created)")
            let id = try #require(created.json["id"]?.stringValue)
            #expect(created.header("Location") == "\(Self.path)/\(id)")
            for key in [
                "name", "merchant_identifier", "domain", "kind", "status", "statement_descriptor", "commission",
                "dispute_liability", "time_zone", "legal",
            ] {
                #expect(created.json[key] == Self.ferry[key], "\(key)")
            }
            #expect(created.json.at("routes/0") == Self.ferry.at("routes/0"))
            #expect(created.json.at("routes/1/settles_to") == "marketplace")
            #expect(created.json.at("routes/1/apple_pay") == "open")
            #expect(try await client.get("\(Self.path)/ferry").bytes == created.bytes)
            let paused = try await client.post(Self.path, Self.ferry.with("status", "paused").with("domain", nil))
            #expect((paused.status, paused.json["id"]?.stringValue) == (200, id))
            #expect((paused.json["status"], paused.json["domain"]) == ("paused", .null))
            let renamed = try await client.post(Self.path, Self.ferry.with("status", nil).with("name", "Sea Dog"))
            #expect((renamed.json["status"], renamed.json["name"]) == ("paused", "Sea Dog"))
        }
    }

    @Test("take payments as soon as they are there, and none while paused", arguments: DatabaseEngine.allCases)
    func use(_ engine: DatabaseEngine) async throws {
        try await APIHarness.with(engine) { api in
            let saving = try await api.client("operator")
            let client = try await api.client("checkout")
            #expect(try await saving.post(Self.path, Self.ferry).status == 201)
            let part = OrderBody.context("ferry", 15_000, token: "tok_ferry", at: "sim-b")
            let body = OrderBody.trip.with("contexts/1", part)
            #expect(try await client.post("/v1/orders", body, key: "a").status == 201)
            #expect(try await saving.post(Self.path, Self.ferry.with("status", "paused")).status == 200)
            let refused = try await client.post("/v1/orders", body, key: "b")
            #expect((refused.status, refused.errors) == (422, ["/contexts/1/external_identifier merchant_paused"]))
        }
    }

    @Test("created at once by many become one", arguments: DatabaseEngine.allCases)
    func storm(_ engine: DatabaseEngine) async throws {
        try await APIHarness.with(engine) { api in
            let client = try await api.client("operator")
            let replies = try await withThrowingTaskGroup(of: APIReply.self) { group in
                for _ in 0..<8 { group.addTask { try await client.post(Self.path, Self.ferry) } }
                return try await group.reduce(into: [APIReply]()) { $0.append($1) }
            }
            #expect(replies.count { $0.status == 201 } == 1, "\(replies.map(\.status))")
            #expect(replies.count { $0.status == 200 } == 7, "\(replies.map(\.status))")
            #expect(Set(replies.map { $0.json["id"] }).count == 1)
        }
    }

    static let refusals: [(name: String, changes: [(String, JSON?)], errors: [String])] = [
        (
            "unknown accounts", [("routes/0/psp_account", "sim-x"), ("routes/1/psp_account", "sim-y")],
            ["/routes/0/psp_account unknown_psp_account", "/routes/1/psp_account unknown_psp_account"]
        ),
        ("no routes", [("routes", [])], ["/routes empty"]),
        ("another's time", [("time_zone", "Mars/Olympus")], ["/time_zone unknown_time_zone"]),
        ("no name of a time zone", [("time_zone", "../etc")], ["/time_zone not_allowed"]),
        ("no address", [("legal", ["name": "Sea Cat Ltd"])], ["/legal/address missing_field"]),
        (
            "settling to nobody", [("routes/0/merchant_account", nil)],
            ["/routes/0/merchant_account missing_field"]
        ),
        (
            "an invoice where none is", [("routes/1/commission_by", "invoice")],
            ["/routes/1/commission_by contradiction"]
        ),
        (
            "a commission at a PSP that pays the marketplace", [("routes/1/commission_by", "psp")],
            ["/routes/1/commission_by contradiction"]
        ),
        (
            "lists of nothing",
            [("routes/0/currencies", []), ("routes/0/wallets", []), ("routes/0/networks", [])],
            ["/routes/0/currencies empty", "/routes/0/wallets empty", "/routes/0/networks empty"]
        ),
        (
            "many things at once",
            [
                ("name", ""), ("domain", "Ferry.example"), ("kind", "shop"), ("colour", "red"),
                ("routes/0/currencies/1", "usd"), ("routes/0/wallets/0", "cash"), ("commission/basis_points", 10_001),
                ("commission/fixed/XTS", 1), ("commission/minimum/USD", 20_001), ("routes/1/color", 1),
            ],
            [
                "/name empty", "/domain not_allowed", "/kind not_allowed", "/commission/basis_points out_of_range",
                "/commission/fixed/XTS unknown_field", "/commission/minimum/USD contradiction",
                "/routes/0/currencies/1 not_allowed", "/routes/0/wallets/0 not_allowed",
                "/routes/1/color unknown_field", "/colour unknown_field",
            ]
        ),
    ]

    @Test("that cannot be are refused with every reason", arguments: DatabaseEngine.allCases)
    func refused(_ engine: DatabaseEngine) async throws {
        try await APIHarness.with(engine) { api in
            let client = try await api.client("operator")
            for (name, changes, errors) in Self.refusals {
                let body = changes.reduce(Self.ferry) { $0.with($1.0, $1.1) }
                let reply = try await client.post(Self.path, body)
                #expect((reply.status, reply.errors) == (422, errors), "\(name): \(reply)")
            }
            #expect(try await client.get("\(Self.path)/ferry").status == 404)
            #expect(try await api.client("checkout").post(Self.path, Self.ferry).status == 403)
            #expect(try await api.client("merchant:ferry").post(Self.path, Self.ferry).status == 403)
        }
    }

    @Test("are listed in pages, behind an id or an external identifier", arguments: DatabaseEngine.allCases)
    func pages(_ engine: DatabaseEngine) async throws {
        try await APIHarness.with(engine) { api in
            let client = try await api.client("checkout")
            let first = try await client.get("\(Self.path)?limit=2")
            func names(_ reply: APIReply) -> [String] {
                (reply.json["data"]?.arrayValue ?? []).compactMap { $0["external_identifier"]?.stringValue }
            }
            #expect(names(first) == ["agency", "airline"])
            #expect(first.json["has_more"] == true)
            let id = try #require(first.json.at("data/1/id")?.stringValue)
            for cursor in [id, "airline"] {
                let rest = try await client.get("\(Self.path)?limit=2&starting_after=\(cursor)")
                #expect(names(rest) == ["hotel", "taxi"])
                #expect(rest.json["has_more"] == false)
            }
            let strange = "mer_00000000000000000000000000"
            let refused = try await client.get("\(Self.path)?starting_after=\(strange)")
            #expect(refused.errors == ["?starting_after invalid_parameter"])
        }
    }

    @Test("see themselves only with their own key", arguments: DatabaseEngine.allCases)
    func ownKey(_ engine: DatabaseEngine) async throws {
        try await APIHarness.with(engine) { api in
            let airline = try await api.client("merchant:airline")
            #expect(try await airline.get("\(Self.path)/airline").status == 200)
            #expect(try await airline.get("\(Self.path)/hotel").status == 404)
            #expect(try await airline.get("\(Self.path)/nobody").status == 404)
        }
    }
}
