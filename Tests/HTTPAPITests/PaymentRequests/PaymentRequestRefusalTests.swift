import SQL
import StrictJSON
import Testing
import TributaryTestKit

@Suite("A payment request that is refused", .timeLimit(.minutes(10)))
struct PaymentRequestRefusalTests {
    typealias Case = (name: String, changes: [(String, JSON?)], errors: [String])

    static let cases: [Case] = [
        ("over-total", [("amount", 44_999)], ["/contexts contexts_exceed_amount"]),
        ("a residual", [("amount", 45_001)], ["/residual residual_unassigned"]),
        ("zero", [("contexts/0/amount", 0)], ["/contexts/0/amount out_of_range"]),
        ("a fraction", [("contexts/0/amount", .number("1.5"))], ["/contexts/0/amount not_an_integer"]),
        (
            "overflow", [("amount", .integer(.max)), ("contexts/0/amount", .integer(.max))],
            ["/amount out_of_range", "/contexts amount_overflow"]
        ),
        ("more than a sheet takes", [("amount", 10_000_000_001), ("contexts", nil)], ["/amount out_of_range"]),
        (
            "a currency with three decimal digits", [("currency", "KWD"), ("contexts", nil)],
            ["/currency currency_not_representable"]
        ),
        (
            "mixed currencies", [("contexts/0/currency", "EUR")], ["/contexts/0/currency currency_mismatch"]
        ),
        (
            "a duplicate", [("contexts/1/external_identifier", "airline")],
            ["/contexts/1/external_identifier duplicate_external_identifier"]
        ),
        (
            "strangers and strange names",
            [("contexts/0/external_identifier", "ferry"), ("contexts/1/merchant_name", "Inn")],
            ["/contexts/0/external_identifier unknown_merchant", "/contexts/1/merchant_name merchant_mismatch"]
        ),
        (
            "everything that cannot be read",
            [("currency", "usd"), ("country", "UK"), ("colour", "red"), ("supported_networks", ["visa", "diners"])],
            [
                "/currency not_allowed", "/country not_allowed", "/supported_networks/1 not_allowed",
                "/colour unknown_field",
            ]
        ),
        (
            "no 3-D Secure", [("merchant_capabilities", ["supportsEMV"])],
            ["/merchant_capabilities missing_capability"]
        ),
        ("no contexts", [("contexts", [])], ["/contexts empty"]),
    ]

    @Test("says every reason, in a dry run too, and is not stored", arguments: DatabaseEngine.allCases)
    func refusals(_ engine: DatabaseEngine) async throws {
        try await APIHarness.with(engine) { api in
            let client = try await api.client("checkout")
            for (name, changes, errors) in Self.cases {
                let body = changes.reduce(PaymentRequestTests.trip) { $0.with($1.0, $1.1) }
                for path in [PaymentRequestTests.path, PaymentRequestTests.path + "/validate"] {
                    let reply = try await client.post(path, body)
                    #expect((reply.status, reply.errors) == (422, errors), "\(name): \(reply)")
                }
            }
            let count = try await api.database.read { session in
                try session.rows("SELECT COUNT(*) AS n FROM payment_request").first?.integer("n")
            }
            #expect(count == 0)
        }
    }

    @Test("because it is strict about its warnings is not stored", arguments: DatabaseEngine.allCases)
    func strict(_ engine: DatabaseEngine) async throws {
        try await APIHarness.with(engine) { api in
            let client = try await api.client("checkout")
            let body = PaymentRequestTests.trip.with("amount", 46_000).with("residual", "uncharged")
            for reply in [
                try await client.post(PaymentRequestTests.path + "?strict=true", body),
                try await client.post(PaymentRequestTests.path, body.with("strict", true)),
            ] {
                #expect(reply.status == 422)
                #expect(reply.errors.contains("/contexts sum_below_total"), "\(reply)")
            }
            let stored = try await client.post(PaymentRequestTests.path, body)
            #expect(stored.status == 201)
            let path = "\(PaymentRequestTests.path)/\(try #require(stored.json["id"]?.stringValue))"
            #expect(try await client.post(path, ["amount": 46_000, "strict": true]).status == 422)
            #expect(try await client.post(path, ["amount": 46_000]).json["revision"] == 2)
        }
    }

    @Test("because the merchant is paused says so", arguments: DatabaseEngine.allCases)
    func paused(_ engine: DatabaseEngine) async throws {
        try await APIHarness.with(engine) { api in
            let pausing: JSON = [
                "external_identifier": "hotel", "name": "Hotel", "status": "paused",
                "routes": [["psp_account": "sim-b"]],
            ]
            #expect(try await api.client("operator").post("/v1/merchants", pausing).status == 200)
            let reply = try await api.client("checkout").post(PaymentRequestTests.path, PaymentRequestTests.trip)
            #expect((reply.status, reply.errors) == (422, ["/contexts/1/external_identifier merchant_paused"]))
        }
    }
}
